import { useStore } from "zustand";
import type { CallItem, SessionItem } from "../../session";
import type { SessionStoreState } from "../../store";
import { useWorkbench } from "../workbenchContext";

/** A value of the session store; the component renders again only when that value changes. */
export function useSessionState<Value>(selector: (state: SessionStoreState) => Value): Value {
  return useStore(useWorkbench().session, selector);
}

/** One row of the session: the same object until that row changes. */
export function useSessionItem(id: string): SessionItem | undefined {
  return useSessionState((state) => state.session.items.get(id));
}

export function useCallItem(id: string): CallItem | undefined {
  const item = useSessionItem(id);
  return item?.kind === "call" ? item : undefined;
}
