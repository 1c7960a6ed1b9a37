import { useStore } from "zustand";
import type { CallItem, SessionItem } from "../../session";
import type { MountLook, SessionLook, SessionStoreState } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { useForeignLook } from "./sessionLookContext";

/** A value of the session store; the component renders again only when that value changes. */
export function useSessionState<Value>(selector: (state: SessionStoreState) => Value): Value {
  return useStore(useWorkbench().session, selector);
}

/** A value of the session that is looked at here: the open one, or what a look around this component provides. */
export function useSessionLook<Value>(selector: (look: SessionLook) => Value): Value {
  const { session } = useWorkbench();
  return useStore(useForeignLook()?.store ?? session, selector);
}

/** The mounts the session that is looked at here runs on. */
export function useSessionMounts(): readonly MountLook[] {
  const own = useStore(useWorkbench().mounts, (state) => state.mounts);
  return useForeignLook()?.mounts ?? own;
}

/** One row of the session: the same object until that row changes. */
export function useSessionItem(id: string): SessionItem | undefined {
  return useSessionLook((look) => look.session.items.get(id));
}

export function useCallItem(id: string): CallItem | undefined {
  const item = useSessionItem(id);
  return item?.kind === "call" ? item : undefined;
}
