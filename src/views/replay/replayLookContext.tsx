import { createContext, use } from "react";
import { useStore } from "zustand";
import type { ReplayLookState, ReplayLookStore } from "../../store";

const ReplayLookContext = createContext<ReplayLookStore | undefined>(undefined);

/** Around the views of an open replay: its outline, filter and search. */
export const ReplayLookProvider = ReplayLookContext.Provider;

/** @throws Error outside an open replay: a fault of the page */
export function useReplayLookStore(): ReplayLookStore {
  const store = use(ReplayLookContext);
  if (store === undefined) throw new Error("This view stands in an open replay only.");
  return store;
}

export function useReplayLook<Value>(selector: (state: ReplayLookState) => Value): Value {
  return useStore(useReplayLookStore(), selector);
}
