import { AGENT_ID, INSTRUCTIONS_ID } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { saveFile } from "../widgets/saveFile";
import { runCurrentMode } from "./runCurrentMode";
import { useShell } from "./shellContext";

export interface ShellCommand {
  readonly name: string;
  readonly keys?: string;
  readonly run: () => void;
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
    { name: "Stop the run", keys: "Esc", run: () => workbench.session.getState().stop() },
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
