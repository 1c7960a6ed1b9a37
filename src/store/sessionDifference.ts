import { diffLines } from "../tools";

export interface DifferenceLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

export interface FileDifference {
  readonly path: string;
  readonly kind: "added" | "modified" | "deleted";
  readonly linesAdded: number;
  readonly linesRemoved: number;
  readonly lines: readonly DifferenceLine[];
  /** Said instead of lines: the contents are binary, too large or no longer kept. */
  readonly reason?: string;
}

/** Characters of both sides together that are compared line by line; past it a person reads the file instead. */
const COMPARED_CHARACTERS = 2_000_000;

/** The difference of two contents of one file; a side that is absent did not exist. */
export function fileDifference(
  path: string,
  before: string | Uint8Array | undefined,
  after: string | Uint8Array | undefined,
): FileDifference {
  const kind = before === undefined ? "added" : after === undefined ? "deleted" : "modified";
  const nothing = { path, kind, linesAdded: 0, linesRemoved: 0, lines: [] } as const;
  if (before instanceof Uint8Array || after instanceof Uint8Array)
    return { ...nothing, reason: "Binary contents: no lines to compare." };
  const texts = [before ?? "", after ?? ""] as const;
  if (texts[0].length + texts[1].length > COMPARED_CHARACTERS)
    return { ...nothing, reason: "Too large to compare line by line." };
  const lines = diffLines(...texts);
  return {
    path,
    kind,
    linesAdded: lines.filter((line) => line.kind === "added").length,
    linesRemoved: lines.filter((line) => line.kind === "removed").length,
    lines,
  };
}
