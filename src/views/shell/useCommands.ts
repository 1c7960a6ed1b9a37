import { AGENT_ID, INSTRUCTIONS_ID, type Workbench } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { saveFile } from "../widgets/saveFile";
import { runCurrentMode } from "./runCurrentMode";
import { useShell } from "./shellContext";

export interface ShellCommand {
  readonly name: string;
  readonly keys?: string;
  readonly run: () => void;
}

/** Stopping is offered while something runs or waits in the mode that is shown. */
function stopCommand({ project, session, compare }: Workbench): readonly ShellCommand[] {
  const { mode } = project.getState();
  const { runner, session: shown, stop } = session.getState();
  if (mode === "run" && (runner === "this-tab" || shown.status === "input"))
    return [{ name: "Stop the run", keys: "Esc", run: stop }];
  if (mode === "compare" && compare.getState().status !== "idle")
    return [{ name: "Stop the comparison", keys: "Esc", run: compare.getState().stop }];
  return [];
}

/** Everything the palette offers. */
export function useCommands(): readonly ShellCommand[] {
  const workbench = useWorkbench();
  const shell = useShell();
  const project = workbench.project.getState();
  const download = async (file: Promise<{ readonly name: string; readonly contents: Blob } | undefined>) => {
    const made = await file;
    if (made) saveFile(made.name, made.contents);
  };
  return [
    { name: "Run", keys: "mod+Enter", run: () => runCurrentMode(workbench) },
    ...stopCommand(workbench),
    { name: "New session", run: () => workbench.session.getState().startNew() },
    { name: "Go to file…", keys: "mod+P", run: () => shell.show("files") },
    { name: "Open the instructions", run: () => void workbench.editor.getState().open(INSTRUCTIONS_ID) },
    { name: "Open the agent definition", run: () => void workbench.editor.getState().open(AGENT_ID) },
    { name: "Mode: Run", keys: "alt+1", run: () => project.setMode("run") },
    { name: "Mode: Compare", keys: "alt+2", run: () => project.setMode("compare") },
    { name: "Mode: Replay", keys: "alt+3", run: () => project.setMode("replay") },
    { name: "Revert every file changed since the run began", run: () => void workbench.mounts.getState().revert() },
    { name: "Download all files as a zip", run: () => void download(workbench.mounts.getState().download("/")) },
    { name: "New project…", run: () => shell.show("new-project") },
    { name: "Rename the project…", run: () => shell.show("rename-project") },
    { name: "Duplicate the project", run: () => void project.duplicateProject() },
    { name: "Export the project as a zip", run: () => void download(workbench.exportProject()) },
    { name: "Delete the project", run: () => void project.deleteProject() },
    { name: "Theme: as the system", run: () => shell.setTheme("system") },
    { name: "Theme: light", run: () => shell.setTheme("light") },
    { name: "Theme: dark", run: () => shell.setTheme("dark") },
    { name: "Show the keys", keys: "?", run: () => shell.show("shortcuts") },
  ];
}
