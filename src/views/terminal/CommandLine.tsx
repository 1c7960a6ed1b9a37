import { useEffect, useRef, useState, type KeyboardEvent, type SyntheticEvent } from "react";
import { useStore } from "zustand";
import type { TerminalStore } from "../../store";
import { shownDirectory } from "./shownDirectory";

/** Lines of a command that are shown at once. */
const SHOWN_LINES = 8;

/** Where a person types commands: ↑ and ↓ bring back earlier ones, Shift+Enter makes a line, Ctrl+C stops, Ctrl+L clears. */
export function CommandLine({ terminal }: { readonly terminal: TerminalStore }) {
  const { cwd, history, isRunning } = useStore(terminal);
  const [text, setText] = useState("");
  /** How far back in the history; 0 is what is being written. */
  const [back, setBack] = useState(0);
  const [draft, setDraft] = useState("");
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => input.current?.focus(), []);

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isRunning || text.trim() === "") return;
    void terminal.getState().run(text);
    setText("");
    setBack(0);
  };
  const recall = (next: number) => {
    if (next < 0 || next > history.length) return;
    if (back === 0) setDraft(text);
    setBack(next);
    setText(next === 0 ? draft : (history.at(-next) ?? ""));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    if (event.nativeEvent.isComposing) return;
    const isFirstLine = !value.slice(0, selectionStart).includes("\n");
    const isLastLine = !value.slice(selectionEnd).includes("\n");
    const letter = event.ctrlKey && !event.metaKey && !event.altKey ? event.key.toLowerCase() : "";
    if (event.key === "Enter" && !event.shiftKey) submit(event);
    else if (event.key === "ArrowUp" && isFirstLine) recall(back + 1);
    else if (event.key === "ArrowDown" && isLastLine) recall(back - 1);
    else if (letter === "l") terminal.getState().clear();
    else if (letter === "c" && selectionStart === selectionEnd && getSelection()?.isCollapsed !== false) {
      if (isRunning) terminal.getState().stop();
      else setText("");
    } else return;
    event.preventDefault();
  };
  return (
    <form className="terminal-line mono" onSubmit={submit}>
      <label className="terminal-prompt" htmlFor="terminal-input">
        <span className="visually-hidden">Command in </span>
        <span className="terminal-cwd truncate" title={cwd}>
          {shownDirectory(cwd)}
        </span>
        <span aria-hidden="true"> $</span>
      </label>
      <textarea
        id="terminal-input"
        ref={input}
        className="terminal-input mono"
        value={text}
        rows={Math.min(SHOWN_LINES, text.split("\n").length)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={isRunning ? "running… Ctrl+C stops it" : "a command, e.g. help"}
        onChange={(event) => {
          setText(event.target.value);
          setBack(0);
        }}
        onKeyDown={onKeyDown}
      />
    </form>
  );
}
