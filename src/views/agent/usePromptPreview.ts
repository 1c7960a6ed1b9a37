import { useMemo } from "react";
import { useStore } from "zustand";
import type { RequestPart } from "../../session";
import { promptPreview } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { useAgentReport } from "./useAgentReport";
import { useTreeLoad, type TreeLoad } from "./useTreeLoad";

/** What a new session would be sent, as the definition, the mounts and the connections are now. */
export function usePromptPreview(): TreeLoad<readonly RequestPart[]> {
  const { mounts, session } = useWorkbench();
  const { problem, faults, report, harnessTools } = useAgentReport();
  const asOf = useStore(session, (state) => (state.currentId === undefined ? state.asOf : undefined));
  const definition = report?.definition;
  const load = useMemo(() => {
    if (!definition || !harnessTools) return undefined;
    return async () => {
      const { liveTree, table } = mounts.getState();
      const place = { tree: liveTree(), mounts: table().recorded(), harnessTools };
      return await promptPreview(definition, { ...place, ...(asOf === undefined ? {} : { asOf }) });
    };
  }, [definition, harnessTools, mounts, asOf]);
  const made = useTreeLoad(load);
  if (problem) return { ...made, problem: problem.sentence };
  const [fault] = faults;
  return fault ? { ...made, problem: `${fault.field}: ${fault.problem} ${fault.mend}` } : made;
}
