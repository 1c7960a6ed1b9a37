import { useStore } from "zustand";
import type { ArmSide, ComparePair, CompareVariant } from "../../store";
import { useWorkbench } from "../workbenchContext";

const SIDES = ["a", "b"] as const satisfies readonly ArmSide[];

/** The two runs that are shown; absent before the first comparison. */
export function useShownPair(): ComparePair | undefined {
  return useStore(useWorkbench().compare, (state) => state.pairs[state.shownPair]);
}

/** An arm as it is written now. */
export function useVariant(side: ArmSide): CompareVariant | undefined {
  return useStore(useWorkbench().project, (state) => state.compare.variants[side === "a" ? 0 : 1]);
}

/** The arms whose instructions were changed since the runs that are shown. */
export function useEditedSides(): readonly ArmSide[] {
  const { compare, project } = useWorkbench();
  const ran = useStore(compare, (state) => state.record?.plan.variants);
  const written = useStore(project, (state) => state.compare.variants);
  return SIDES.filter((_, index) => ran !== undefined && ran[index]?.instructions !== written[index]?.instructions);
}
