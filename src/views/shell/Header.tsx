import { Contrast, Keyboard } from "lucide-react";
import { useStore } from "zustand";
import type { WorkMode } from "../../store";
import { ModelMenu } from "../session/ModelMenu";
import { useWorkbench } from "../workbenchContext";
import { IconButton } from "../widgets/IconButton";
import { Menu, MenuChoice } from "../widgets/Menu";
import { SegmentedControl } from "../widgets/SegmentedControl";
import { ProjectMenu } from "./ProjectMenu";
import { RunButton } from "./RunButton";
import { useShell } from "./shellContext";
import { ToolsMenu } from "./ToolsMenu";

const MODES: readonly { readonly value: WorkMode; readonly label: string; readonly keys: string }[] = [
  { value: "run", label: "Run", keys: "alt+1" },
  { value: "compare", label: "Compare", keys: "alt+2" },
  { value: "replay", label: "Replay", keys: "alt+3" },
];

export function Header() {
  const { project } = useWorkbench();
  const mode = useStore(project, (state) => state.mode);
  const shell = useShell();
  return (
    <header className="header">
      <Mark />
      <h1 className="product-name">Rootscope</h1>
      <ProjectMenu />
      <SegmentedControl
        label="Mode"
        segments={MODES}
        value={mode}
        onChange={(next) => project.getState().setMode(next)}
      />
      <span className="header-space" />
      <ThemeMenu />
      <IconButton
        label="Keys"
        keys="?"
        className="header-keys"
        icon={<Keyboard size={16} aria-hidden="true" />}
        onClick={() => shell.show("shortcuts")}
      />
      {mode === "replay" ? null : <ModelMenu />}
      {mode === "run" ? <ToolsMenu /> : null}
      <RunButton />
    </header>
  );
}

export function Mark() {
  return (
    <svg
      className="mark"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M10 2v9M10 11c0 4-4 4-6 7M10 11c0 4 4 4 6 7M10 11v7" />
      <circle cx="10" cy="6" r="3.2" fill="var(--surface)" />
    </svg>
  );
}

function ThemeMenu() {
  const { theme, setTheme } = useShell();
  return (
    <Menu align="end" trigger={<IconButton label="Theme" icon={<Contrast size={16} aria-hidden="true" />} />}>
      <MenuChoice
        value={theme}
        choices={[
          { value: "system", label: "As the system" },
          { value: "light", label: "Light" },
          { value: "dark", label: "Dark" },
        ]}
        onChange={setTheme}
      />
    </Menu>
  );
}
