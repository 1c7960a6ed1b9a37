import { initialSessionState } from "../session";
import type { SessionStoreState } from "./sessionStoreState";

/** What a session's column holds while none is shown. */
export const noSession = {
  currentId: undefined,
  session: initialSessionState,
  rows: [],
  loading: undefined,
  runner: "nobody",
  stopping: false,
  alwaysAllowed: new Set<string>(),
  openIds: new Set<string>(),
  shownRequest: undefined,
  dryRun: false,
  asOf: undefined,
} as const satisfies Partial<SessionStoreState>;
