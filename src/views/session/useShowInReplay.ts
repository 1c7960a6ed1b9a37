import { useWorkbench } from "../workbenchContext";

/** Shows a session in Replay: where an imported one is looked at, since nothing of it runs by itself. */
export function useShowInReplay(): (sessionId: string) => void {
  const { project, replay } = useWorkbench();
  return (sessionId) => {
    void replay.getState().open(sessionId);
    project.getState().setMode("replay");
  };
}
