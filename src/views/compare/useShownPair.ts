import { useStore } from "zustand";
import type { ArmSide, ComparePair, CompareVariant } from "../../store";
import { useWorkbench } from "../workbenchContext";

/** The two runs that are shown; absent before the first comparison. */
export function useShownPair(): ComparePair | undefined {
  return useStore(useWorkbench().compare, (state) => state.pairs[state.shownPair]);
}

/** An arm as it is written now. */
export function useVariant(side: ArmSide): CompareVariant | undefined {
  return useStore(useWorkbench().project, (state) => state.compare.variants[side === "a" ? 0 : 1]);
}
