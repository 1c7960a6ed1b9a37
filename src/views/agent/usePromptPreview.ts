import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { RequestPart } from "../../session";
import { messageFromError, promptPreview } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { useAgentReport } from "./useAgentReport";

export interface PromptPreviewState {
  /** The last parts that could be made; absent before the first. */
  readonly parts?: readonly RequestPart[];
  /** Why they are not those of the definition as it is. */
  readonly problem?: string;
}

/** While files change, the prompt is made again after a pause this long. */
const PAUSE_MS = 250;

/** What a new session would be sent, as the definition, the mounts and the connections are now. */
export function usePromptPreview(): PromptPreviewState {
  const { mounts, session } = useWorkbench();
  const { problem, faults, report, harnessTools } = useAgentReport();
  const snapshot = useStore(mounts, (state) => state.snapshot);
  const asOf = useStore(session, (state) => (state.currentId === undefined ? state.asOf : undefined));
  const [made, setMade] = useState<PromptPreviewState>({});
  const definition = report?.definition;
  useEffect(() => {
    if (!definition || !harnessTools) return undefined;
    let current = true;
    const make = async () => {
      try {
        const tree = mounts.getState().liveTree();
        const described = mounts.getState().table().recorded();
        const place = { tree, mounts: described, harnessTools, ...(asOf === undefined ? {} : { asOf }) };
        const parts = await promptPreview(definition, place);
        if (current) setMade({ parts });
      } catch (error) {
        if (current) setMade((before) => ({ ...before, problem: messageFromError(error) }));
      }
    };
    const timer = setTimeout(() => void make(), PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
    // The tree says the same again unless `snapshot` moves.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [definition, harnessTools, mounts, snapshot, asOf]);
  if (problem) return { ...made, problem: problem.sentence };
  const [fault] = faults;
  return fault ? { ...made, problem: `${fault.field}: ${fault.problem} ${fault.mend}` } : made;
}
