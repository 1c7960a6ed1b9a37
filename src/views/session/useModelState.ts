import { useStore } from "zustand";
import type { ModelState } from "../../store";
import { useWorkbench } from "../workbenchContext";

/** A value of the model store; the component renders again only when that value changes. */
export function useModelState<Value>(selector: (state: ModelState) => Value): Value {
  return useStore(useWorkbench().model, selector);
}
