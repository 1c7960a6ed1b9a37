import type { HiddenEntry } from "./hiddenEntries";

/** Documents of the project itself; a file's id is its path, which begins with `/`. */
export const INSTRUCTIONS_ID = "instructions.md";
export const AGENT_ID = "agent.json";

export type EditorView = "edit" | "changes";

/** How the agent definition is shown. */
export const agentViews = ["form", "json", "tools", "prompt", "skills"] as const;

export type AgentView = (typeof agentViews)[number];

/** How a document can be shown. */
export type Presentation = "loading" | "text" | "image" | "binary" | "large" | "gone" | "unreadable";

/** A tab of the editor. */
export interface EditorDocument {
  /** A file's path, or `INSTRUCTIONS_ID`, or `AGENT_ID`. */
  readonly id: string;
  readonly presentation: Presentation;
  /** The text as last read or saved; the editor takes it when `revision` moves and holds what is typed since. */
  readonly text: string;
  readonly revision: number;
  /** SHA-256 of the contents that `text` is; absent for the project's own documents and missing files. */
  readonly hash: string | undefined;
  readonly sizeBytes: number;
  readonly readOnly: boolean;
  /** Of a file that is not to be seen because another mount stands before its own. */
  readonly hidden: HiddenEntry | undefined;
  /** Typed since the last save. */
  readonly dirty: boolean;
  readonly saving: boolean;
  /** Why it is not saved, or cannot be read. */
  readonly problem: string | undefined;
  /** Somebody else wrote the file since: both sides, and nothing is saved until the person chooses. */
  readonly conflict: EditorConflict | undefined;
  readonly view: EditorView;
  /** The line a person asked to see, from 1, or the place it had: a new object each time they ask. */
  readonly goTo: { readonly line: number | "kept" } | undefined;
}

export interface EditorConflict {
  readonly mine: string;
  /** Absent: the file was deleted, or is no text any more. */
  readonly theirs: string | undefined;
  readonly theirHash: string | undefined;
}

export function newDocument(id: string): EditorDocument {
  return {
    id,
    presentation: "loading",
    text: "",
    revision: 0,
    hash: undefined,
    sizeBytes: 0,
    readOnly: false,
    hidden: undefined,
    dirty: false,
    saving: false,
    problem: undefined,
    conflict: undefined,
    view: "edit",
    goTo: undefined,
  };
}

export function isFileDocument(id: string): boolean {
  return id.startsWith("/");
}

/**
 * Whether `theirs` undoes something a person did from `base` to `mine`: a line they added is not there, or a line they
 * took out is back. A text made by changing `mine` further does neither.
 */
export function losesEdit(base: string, mine: string, theirs: string): boolean {
  const [baseLines, mineLines, theirLines] = [lineSet(base), lineSet(mine), lineSet(theirs)];
  for (const line of mineLines) if (!baseLines.has(line) && !theirLines.has(line)) return true;
  for (const line of baseLines) if (!mineLines.has(line) && theirLines.has(line)) return true;
  return false;
}

function lineSet(text: string): Set<string> {
  return new Set(text.split(/\r?\n/).map((line) => line.trimEnd()));
}
