import { useEffect, useEffectEvent } from "react";
import { agentSegments } from "../agent/agentViews";
import { showAgentView } from "../agent/showAgentView";
import { useWorkbench } from "../workbenchContext";
import { runCurrentMode } from "./runCurrentMode";
import { isOverlayOpen } from "../widgets/isOverlayOpen";
import { useShell } from "./shellContext";

/** With Alt and Shift, the views of the agent in their order. */
const AGENT_KEYS = ["Digit1", "Digit2", "Digit3", "Digit4", "Digit5"];

const MODES = { Digit1: "run", Digit2: "compare", Digit3: "replay" } as const;

/** Whether a key belongs to what a person is typing. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName) ||
      target.closest(".monaco-editor") !== null)
  );
}

/** Whether `mod+Enter` belongs to a form that sends something else, or to what lies over the page. */
function takesEnter(target: EventTarget | null): boolean {
  return isOverlayOpen() || (target instanceof Element && target.closest("[data-takes-enter]") !== null);
}

/** The keys that work anywhere on the page. `Esc` belongs to the session column, which knows what runs. */
export function useShortcuts(): void {
  const workbench = useWorkbench();
  const shell = useShell();
  const saveNow = async () => {
    await workbench.editor.getState().saveAll();
    await workbench.project.getState().flush();
    const unsaved = workbench.editor.getState().documents.some((document) => document.dirty);
    if (!unsaved && workbench.project.getState().saveState === "saved") {
      workbench.notices
        .getState()
        .push({ tone: "good", text: "Saved. (What you write is also saved by itself.)", timeoutMs: 2_500 });
    }
  };
  const dismissNewest = () => {
    const { notices, dismiss } = workbench.notices.getState();
    const newest = notices.at(-1);
    if (newest) dismiss(newest.id);
  };
  /** Opens it, goes to it, or, from within it, closes it. */
  const toggleTerminal = () => {
    const input = document.getElementById("terminal-input");
    const isThere = workbench.project.getState().mode === "run";
    const isWithin = isThere && document.activeElement?.closest(".terminal") !== null;
    if (!isThere) workbench.project.getState().setMode("run");
    shell.setTerminal(!shell.terminal || !isWithin);
    input?.focus();
  };
  const modAction = (key: string): (() => void) | undefined => {
    switch (key) {
      case "enter":
        return () => runCurrentMode(workbench);
      case "s":
        return () => void saveNow();
      case "k":
        return () => shell.show("commands");
      case "p":
        return () => shell.show("files");
      default:
        return undefined;
    }
  };
  const modShiftAction = (key: string) => (key === "f" ? () => shell.show("find") : undefined);
  const plainAction = (event: KeyboardEvent): (() => void) | undefined => {
    if (event.altKey && !event.ctrlKey && !event.metaKey) {
      const mode = MODES[event.code as keyof typeof MODES];
      const view = agentSegments[AGENT_KEYS.indexOf(event.code)]?.value;
      if (event.shiftKey && view) return () => showAgentView(workbench, view);
      if (!event.shiftKey && mode) return () => workbench.project.getState().setMode(mode);
      if (!event.shiftKey && event.code === "Digit0") return dismissNewest;
      if (!event.shiftKey && event.code === "KeyT") return toggleTerminal;
    }
    if (event.key === "?" && !isTyping(event.target) && shell.overlay === undefined)
      return () => shell.show("shortcuts");
    return undefined;
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const mod = event.metaKey || event.ctrlKey;
    const key = event.key.toLowerCase();
    if (key === "enter" && takesEnter(event.target)) return;
    const action = mod && !event.altKey ? (event.shiftKey ? modShiftAction(key) : modAction(key)) : plainAction(event);
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    // Captured, so that the editor's own keys do not take these.
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);
}
