import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { limits } from "../../base";
import type { TerminalBlock, TerminalStore } from "../../store";
import { CopyButton } from "../session/CopyButton";
import { durationText } from "../session/durationText";
import { useWorkbench } from "../workbenchContext";
import { plainText } from "./plainText";
import { shownDirectory } from "./shownDirectory";

/** The commands so far, the newest last and in view unless a person has scrolled away. */
export function TerminalLog({ terminal }: { readonly terminal: TerminalStore }) {
  const blocks = useStore(terminal, (state) => state.blocks);
  const list = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    const toEnd = () => {
      if (follows.current) list.current?.scrollTo({ top: list.current.scrollHeight });
    };
    // It grows by what is printed, and when what has not been laid out yet is.
    const observer = new ResizeObserver(toEnd);
    for (const { current } of [list, content]) if (current) observer.observe(current);
    const stop = onScrolledByPerson(list.current, (isAtEnd) => (follows.current = isAtEnd));
    return () => {
      observer.disconnect();
      stop();
    };
  }, []);
  const last = blocks.findLast(({ isRunning }) => !isRunning);
  const newest = blocks.at(-1)?.id;
  // Whoever runs a command wants to see it, wherever they had scrolled to.
  useEffect(() => {
    follows.current = true;
    list.current?.scrollTo({ top: list.current.scrollHeight });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new command is what it is about
  }, [newest]);
  return (
    <>
      <div
        ref={list}
        className="terminal-log scroll"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is of fields
        role="group"
        aria-label="Commands and what they printed"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by key
        tabIndex={0}
      >
        <div ref={content}>
          {blocks.length === 0 ? (
            <p className="dim small terminal-hint">
              Commands run on the host's disk, as an agent's Shell does. Try help.
            </p>
          ) : (
            blocks.map((block) => <BlockView key={block.id} block={block} />)
          )}
        </div>
      </div>
      <output className="visually-hidden">{last ? `${last.command}: ${endWords(last)}` : ""}</output>
    </>
  );
}

/** Tells whether the end is in view after a person has scrolled; what is laid out late moves the place, too, and is not told. */
function onScrolledByPerson(list: HTMLElement | null, tell: (isAtEnd: boolean) => void): () => void {
  const stop = new AbortController();
  // The place is known once the page has scrolled.
  const look = () =>
    requestAnimationFrame(() => {
      if (list) tell(list.scrollHeight - list.scrollTop - list.clientHeight < 24);
    });
  for (const name of ["wheel", "touchmove", "keyup", "pointerup"])
    list?.addEventListener(name, look, { passive: true, signal: stop.signal });
  return () => stop.abort();
}

function BlockView({ block }: { readonly block: TerminalBlock }) {
  const { command, cwd, isRunning, isWaiting, output, problem, savedAt } = block;
  return (
    <article className="terminal-block" aria-label={`Command ${command}`}>
      <header className="terminal-command mono">
        <span className="dim">{`${shownDirectory(cwd)} $`}</span>
        <span className="terminal-words">{command}</span>
        <span className="push-right terminal-tools">
          <CopyButton what="the output" text={() => output.map(({ text }) => text).join("")} />
        </span>
      </header>
      <OutputView block={block} />
      {problem === undefined ? null : (
        <p className="bad small" role="alert">
          {`✕ ${problem}`}
        </p>
      )}
      {savedAt === undefined ? null : <OpenFile path={savedAt} words="All of the output is in" />}
      <footer className="small muted terminal-end">
        {isRunning ? (isWaiting ? "waiting for its turn…" : "running…") : endWords(block)}
        <ChangedFiles block={block} />
      </footer>
    </article>
  );
}

function endWords({ exitCode, end, durationMs, problem }: TerminalBlock): string {
  if (problem !== undefined) return "not run";
  const code = `exit code ${exitCode ?? "unknown"}`;
  const how = end === undefined || end === "exit" ? [] : [END_WORDS[end]];
  return [...how, code, ...(durationMs === undefined ? [] : [durationText(durationMs)])].join(" · ");
}

const END_WORDS = {
  exit: "",
  timeout: "timed out",
  aborted: "stopped",
  killed: "ended",
  limit: "ended at a limit of the shell",
  "host-lost": "the host was lost",
} as const;

function OutputView({ block: { output, droppedCharacters } }: { readonly block: TerminalBlock }) {
  const [isWhole, setWhole] = useState(false);
  const shown = output.map(({ stream, text: printed }) => ({ stream, text: plainText(printed) }));
  const text = shown.map((chunk) => chunk.text).join("");
  if (text === "") return null;
  const from = isWhole ? 0 : startOfLastLines(text, limits.outputPreviewLines);
  return (
    <>
      {droppedCharacters > 0 ? (
        <p className="dim small">{`${droppedCharacters.toLocaleString("en")} earlier characters are not held here.`}</p>
      ) : null}
      {from > 0 ? (
        <button type="button" className="link-button muted small" onClick={() => setWhole(true)}>
          show the earlier lines ›
        </button>
      ) : null}
      <pre className="terminal-output mono">
        {outputFrom(shown, from).map(({ key, stream, text: part }) => (
          <span key={key} className={stream === "stderr" ? "terminal-stderr" : undefined}>
            {part}
          </span>
        ))}
      </pre>
    </>
  );
}

/** The pieces from a character on. */
function outputFrom(output: TerminalBlock["output"], from: number) {
  let at = 0;
  return output.flatMap(({ stream, text }, index) => {
    const begin = Math.max(0, from - at);
    at += text.length;
    return begin >= text.length ? [] : [{ key: `${stream}${index}`, stream, text: text.slice(begin) }];
  });
}

/** Where the last so many lines of a text begin. */
function startOfLastLines(text: string, lines: number): number {
  let at = text.length;
  for (let count = 0; count <= lines; count++) {
    at = text.lastIndexOf("\n", at - 1);
    if (at < 0) return 0;
  }
  return at + 1;
}

function ChangedFiles({ block: { changes } }: { readonly block: TerminalBlock }) {
  const shown = changes.slice(0, limits.listedChanges);
  if (shown.length === 0) return null;
  return (
    <span className="terminal-changes">
      {shown.map(({ path, kind }) => (
        <OpenFile key={path} path={path} words={kind} isGone={kind === "deleted"} />
      ))}
      {changes.length > shown.length ? `and ${changes.length - shown.length} more` : null}
    </span>
  );
}

function OpenFile(props: { readonly path: string; readonly words: string; readonly isGone?: boolean }) {
  const { path, words, isGone = false } = props;
  const { editor } = useWorkbench();
  return (
    <span className="small">
      {`${words} `}
      {isGone ? (
        <span className="mono">{shownDirectory(path)}</span>
      ) : (
        <button type="button" className="link-button mono" onClick={() => void editor.getState().open(path)}>
          {shownDirectory(path)}
        </button>
      )}
    </span>
  );
}
