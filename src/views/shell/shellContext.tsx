import { createContext, use } from "react";
import type { ThemeChoice } from "./themeChoice";

/** What lies over the whole page, one at a time. */
export type Overlay =
  | "commands"
  | "files"
  | "find"
  | "shortcuts"
  | "rename-project"
  | "new-project"
  | "delete-project"
  | "add-mount"
  | "add-server"
  /** Stands among the skills, and not over the page. */
  | "new-skill"
  | undefined;

export interface Shell {
  readonly overlay: Overlay;
  readonly show: (overlay: Overlay) => void;
  /** Whether the terminal is open, in the mode that has one. */
  readonly terminal: boolean;
  readonly setTerminal: (isOpen: boolean) => void;
  readonly theme: ThemeChoice;
  readonly setTheme: (theme: ThemeChoice) => void;
}

const ShellContext = createContext<Shell | undefined>(undefined);

export const ShellProvider = ShellContext.Provider;

export function useShell(): Shell {
  const shell = use(ShellContext);
  if (!shell) throw new Error("useShell is called outside the shell.");
  return shell;
}
