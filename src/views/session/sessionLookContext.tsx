import { createContext, use } from "react";
import type { MountLook, SessionLookStore } from "../../store";

/** A session that is not the open one of the project: a compared or a replayed one. */
export interface ForeignLook {
  readonly store: SessionLookStore;
  /** The mounts it ran on. */
  readonly mounts: readonly MountLook[];
}

const SessionLookContext = createContext<ForeignLook | undefined>(undefined);

/** Around views of a session that only look at it; without one they show the project's open session and act on it. */
export const SessionLookProvider = SessionLookContext.Provider;

export function useForeignLook(): ForeignLook | undefined {
  return use(SessionLookContext);
}
