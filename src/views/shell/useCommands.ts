import { useStore } from "zustand";
import { AGENT_ID, INSTRUCTIONS_ID, type ReplayAsk, type WorkMode } from "../../store";
import { agentSegments } from "../agent/agentViews";
import { showAgentView } from "../agent/showAgentView";
import { useWorkbench } from "../workbenchContext";
import { saveFile } from "../widgets/saveFile";
import { runCurrentMode } from "./runCurrentMode";
import { useShell } from "./shellContext";

export interface ShellCommand {
  readonly name: string;
  readonly keys?: string;
  readonly run: () => void;
}

const MODES: readonly { readonly mode: WorkMode; readonly name: string; readonly keys: string }[] = [
  { mode: "run", name: "Mode: Run", keys: "alt+1" },
  { mode: "compare", name: "Mode: Compare", keys: "alt+2" },
  { mode: "replay", name: "Mode: Replay", keys: "alt+3" },
];

/** What the palette offers in the mode that is shown: nothing that would act on what cannot be seen. */
export function useCommands(): readonly ShellCommand[] {
  const workbench = useWorkbench();
  const mode = useStore(workbench.project, (state) => state.mode);
  const own = { run: useRunCommands(), compare: useCompareCommands(), replay: useReplayCommands() };
  const others = useGeneralCommands();
  const modes = MODES.filter((other) => other.mode !== mode).map(({ mode: to, name, keys }) => ({
    name,
    keys,
    run: () => workbench.project.getState().setMode(to),
  }));
  return [...own[mode], ...modes, ...others];
}

/** The project's own files and the session that works on them. */
function useRunCommands(): readonly ShellCommand[] {
  const workbench = useWorkbench();
  const shell = useShell();
  const runner = useStore(workbench.session, (state) => state.runner);
  const hasHostDisk = useStore(workbench.mounts, (state) => state.mounts.some(({ kind }) => kind === "host"));
  const hasChanges = useStore(workbench.mounts, (state) => state.changes.count > 0);
  const { session, editor, mounts } = workbench;
  return [
    ...(runner === "this-tab"
      ? [{ name: "Stop the run", keys: "Esc", run: () => session.getState().stop() }]
      : [{ name: "Run", keys: "mod+Enter", run: () => runCurrentMode(workbench) }]),
    { name: "New session", run: () => session.getState().startNew() },
    { name: "Go to file…", keys: "mod+P", run: () => shell.show("files") },
    { name: "Find in files…", keys: "mod+shift+F", run: () => shell.show("find") },
    {
      name: shell.terminal ? "Close the terminal" : "Open the terminal",
      keys: "alt+T",
      run: () => shell.setTerminal(!shell.terminal),
    },
    { name: "Add a mount…", run: () => shell.show("add-mount") },
    ...(hasHostDisk
      ? []
      : [{ name: "Add a host disk", run: () => void workbench.host().then((host) => host.ensureDisk()) }]),
    { name: "Open the instructions", run: () => void editor.getState().open(INSTRUCTIONS_ID) },
    { name: "Open the agent definition", run: () => void editor.getState().open(AGENT_ID) },
    ...agentSegments.map(({ value, label }, index) => ({
      name: value === "tools" ? "Open the tools panel" : `Agent: ${label}`,
      keys: `alt+shift+${index + 1}`,
      run: () => showAgentView(workbench, value),
    })),
    {
      name: "New skill…",
      run: () => {
        showAgentView(workbench, "skills");
        shell.show("new-skill");
      },
    },
    { name: "Add an MCP server…", run: () => shell.show("add-server") },
    ...(hasChanges
      ? [{ name: "Revert every file changed since the run began", run: () => void mounts.getState().revert() }]
      : []),
    { name: "Download all files as a zip", run: () => void download(mounts.getState().download("/")) },
  ];
}

function useCompareCommands(): readonly ShellCommand[] {
  const workbench = useWorkbench();
  const status = useStore(workbench.compare, (state) => state.status);
  if (status === "idle")
    return [{ name: "Run the comparison", keys: "mod+Enter", run: () => runCurrentMode(workbench) }];
  return [{ name: "Stop the comparison", keys: "Esc", run: () => workbench.compare.getState().stop() }];
}

function useReplayCommands(): readonly ShellCommand[] {
  const { replay } = useWorkbench();
  const isOpen = useStore(replay, (state) => state.eventCount > 0);
  const isPlaying = useStore(replay, (state) => state.isPlaying);
  const { play, pause, seekStep } = replay.getState();
  const ask = (what: ReplayAsk) => () => replay.getState().ask(what);
  if (!isOpen) return [];
  return [
    isPlaying ? { name: "Pause", keys: "Space", run: pause } : { name: "Play", keys: "Space", run: play },
    { name: "Previous step", keys: "[", run: () => seekStep(-1) },
    { name: "Next step", keys: "]", run: () => seekStep(1) },
    { name: "Search the session…", keys: "/", run: ask("search") },
    { name: "Next hit", keys: "n", run: ask("next-hit") },
    { name: "Previous hit", keys: "shift+N", run: ask("previous-hit") },
    { name: "Filter the steps…", keys: "f", run: ask("filter") },
    { name: "Clear the filter", run: ask("clear-filter") },
    { name: "Go to an event…", keys: "g", run: ask("jump") },
    { name: "Expand all steps", run: ask("unfold") },
    { name: "Collapse all steps", run: ask("fold") },
    { name: "Copy the link of this event", run: ask("copy-link") },
  ];
}

function useGeneralCommands(): readonly ShellCommand[] {
  const workbench = useWorkbench();
  const shell = useShell();
  const project = workbench.project.getState();
  return [
    { name: "New project…", run: () => shell.show("new-project") },
    { name: "Rename the project…", run: () => shell.show("rename-project") },
    { name: "Duplicate the project", run: () => void project.duplicateProject() },
    {
      name: "Import a project…",
      run: () => chooseFile(".zip", (file) => void workbench.importProject({ name: file.name, contents: file })),
    },
    { name: "Export the project as a zip", run: () => void download(workbench.exportProject()) },
    { name: "Delete the project…", run: () => shell.show("delete-project") },
    { name: "Theme: as the system", run: () => shell.setTheme("system") },
    { name: "Theme: light", run: () => shell.setTheme("light") },
    { name: "Theme: dark", run: () => shell.setTheme("dark") },
    { name: "Show the keys", keys: "?", run: () => shell.show("shortcuts") },
  ];
}

/** Asks for a file of the computer, with a person's key still fresh enough for the browser to allow it. */
function chooseFile(accept: string, take: (file: File) => void): void {
  const input = document.createElement("input");
  Object.assign(input, { type: "file", accept });
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) take(file);
  });
  input.click();
}

async function download(file: Promise<{ readonly name: string; readonly contents: Blob } | undefined>): Promise<void> {
  const made = await file;
  if (made) saveFile(made.name, made.contents);
}
