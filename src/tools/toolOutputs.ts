import type { JsonObject } from "../base";
import type { ImagePart } from "./tool";

/** Success values of the native tools (docs/tools.md, section 1). What a value lacks was not cut. */

export interface ReadTextOutput extends JsonObject {
  readonly path: string;
  /** The lines shown, with their own line ends. */
  readonly content: string;
  readonly totalLines: number;
  /** Bytes of the whole file. */
  readonly fileSize: number;
  /** Number of the first line shown, from 1. */
  readonly startLine: number;
  readonly shownLines: number;
  /** Numbers of the lines that are cut, and how many characters each lacks. */
  readonly cutLines?: readonly { readonly line: number; readonly missingCharacters: number }[];
}

export interface ReadImageOutput extends JsonObject {
  readonly path: string;
  readonly content: readonly [ImagePart & JsonObject];
  readonly fileSize: number;
}

/** Bytes that are neither text nor an image a model may see. */
export interface ReadBinaryOutput extends JsonObject {
  readonly path: string;
  readonly binary: true;
  readonly fileSize: number;
  /** Set for an image too large to show. */
  readonly mediaType?: string;
}

export type ReadOutput = ReadTextOutput | ReadImageOutput | ReadBinaryOutput;

export interface DirectoryTreeNode extends JsonObject {
  readonly absPath: string;
  readonly childrenDirs: readonly DirectoryTreeNode[];
  readonly childrenFiles: readonly { readonly name: string }[];
  /** False where the directory is cut: its children are then absent, or only the first of them are there. */
  readonly childrenWereProcessed: boolean;
  /** Files below a cut directory that are not shown, by extension (`.ts`; `""` for none); empty where nothing is cut. */
  readonly fullSubtreeExtensionCounts: { readonly [extension: string]: number };
  /** Files below, at any depth. */
  readonly numFiles: number;
}

export interface ListOutput extends JsonObject {
  readonly directoryTreeRoot: DirectoryTreeNode;
  /** Files and directories below the root that are not shown. */
  readonly hiddenEntries?: number;
}

export interface GlobOutput extends JsonObject {
  readonly files: readonly string[];
  readonly totalFiles: number;
  readonly clientTruncated: boolean;
}

export interface GrepMatch extends JsonObject {
  readonly file: string;
  /** From 1. */
  readonly lineNumber: number;
  readonly line: string;
  readonly beforeContext?: readonly string[];
  readonly afterContext?: readonly string[];
}

/** The page of results that follows, where results were left out. */
export interface GrepRest extends JsonObject {
  /** Where it starts. */
  readonly offset: number;
  /** How many are left, or the least there are. */
  readonly count: number;
  readonly atLeast?: boolean;
}

export interface GrepContentOutput extends JsonObject {
  readonly type: "content";
  readonly matches: readonly GrepMatch[];
  readonly totalMatches: number;
  readonly rest?: GrepRest;
  /** Lines shown in part. */
  readonly cutLines?: number;
}

export interface GrepFilesOutput extends JsonObject {
  readonly type: "files";
  readonly files: readonly string[];
  /** Files in all. */
  readonly count: number;
  readonly rest?: GrepRest;
}

export interface GrepCountOutput extends JsonObject {
  readonly type: "count";
  readonly counts: readonly { readonly file: string; readonly count: number }[];
  /** Matches in all. */
  readonly total: number;
  readonly rest?: GrepRest;
}

export type GrepOutput = GrepContentOutput | GrepFilesOutput | GrepCountOutput;

export interface WriteOutput extends JsonObject {
  readonly path: string;
  readonly linesCreated: number;
  /** Bytes. */
  readonly fileSize: number;
}

export interface StrReplaceOutput extends JsonObject {
  readonly path: string;
  readonly occurrencesModified: number;
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** Unified hunks without file headers. */
  readonly diffString: string;
}

export interface DeleteOutput extends JsonObject {
  readonly path: string;
  /** Bytes; absent where the tree cannot tell. */
  readonly fileSize?: number;
}

export interface Passage extends JsonObject {
  readonly path: string;
  /** From 1, inclusive. */
  readonly startLine: number;
  /** From 1, inclusive. */
  readonly endLine: number;
  readonly score: number;
  readonly text: string;
}

export interface SemanticSearchOutput extends JsonObject {
  readonly results: readonly Passage[];
  /** Further passages exist beyond those shown. */
  readonly more?: boolean;
}

export interface Todo extends JsonObject {
  readonly id?: string;
  readonly content: string;
  readonly status: "pending" | "inProgress" | "completed" | "cancelled";
}

export interface TodosOutput extends JsonObject {
  readonly todos: readonly Todo[];
  readonly totalCount: number;
}

export interface ShellOutput extends JsonObject {
  readonly exitCode: number;
  /** What ended it, where it did not end by itself. */
  readonly signal: string | null;
  /** Head and tail where it was long. */
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds. */
  readonly executionTime: number;
  /** How it ended, where not by itself (`ShellEnd` of `src/host`). */
  readonly end?: string;
  /** Bytes of all it printed, and the file that holds them, where there is one. */
  readonly truncated?: { readonly totalBytes: number; readonly path?: string };
}
