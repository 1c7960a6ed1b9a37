import type { SessionSource } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { useShowInReplay } from "./useShowInReplay";

/**
 * Imports sessions and shows the first of them. Who has gone elsewhere meanwhile, to another mode or session, is left there:
 * the notice offers to open it.
 *
 * @param onImported told of the session to be shown
 */
export function useImportSessions(
  onImported: ((sessionId: string) => void) | undefined,
): (source: SessionSource) => Promise<void> {
  const { project, replay, session } = useWorkbench();
  const showInReplay = useShowInReplay();
  const place = () => [project.getState().mode, replay.getState().sessionId, session.getState().currentId].join("\n");
  return async (source) => {
    const before = place();
    let isOffered = false;
    const sessionId = await session.getState().importSessions(source, (first) => {
      if (place() === before) return undefined;
      isOffered = true;
      return { label: "Open", run: () => showInReplay(first) };
    });
    if (sessionId !== undefined && !isOffered) onImported?.(sessionId);
  };
}
