import type { JsonValue } from "../../base";
import { memoryFile, SnapshotTree } from "../../fs";
import type { FileEvidence as FileEvidenceRecord, SessionEvent } from "../../session";
import type { BlobReader } from "../createReplay";
import { inlinedValue } from "../inlinedValues";
import { soundEvents } from "../soundEvents";
import { commandRead } from "./foreign/commandRead";
import { foreignOperation, type ForeignOperation } from "./foreign/foreignOperation";
import { patchEdits } from "./foreign/patchEdits";
import { placedPath, type Placement } from "./foreign/placement";
import { recordedReading, textOfOutput, type RecordedReading } from "./foreign/recordedReading";
import type { InferredFile } from "./divergenceReport";
import { FileEvidence } from "./fileEvidence";
import { recordedItems, recordedPlacement, type RecordedCall } from "./recordedCalls";

export interface InferOptions {
  /** Where the recording's paths lie; as they are, relative ones below its own directory, where absent. */
  readonly placement?: Placement;
  /** The contents the log names: large results, and texts of files an importer found beside the results. */
  readonly blobs?: BlobReader;
  /** Awaited before every call: a long recording lets its page breathe. What it throws ends the inference. */
  readonly pace?: () => Promise<void>;
}

/** A tree made from what a recording shows of the one it ran on. */
export interface InferredTree {
  /** Lines nobody saw are stand-ins (`foreign/unknownText.ts`). */
  readonly tree: SnapshotTree;
  /** By path. */
  readonly files: readonly InferredFile[];
  /** Paths the recording says were not there. */
  readonly absent: ReadonlySet<string>;
}

/**
 * The tree a recording began with, as far as its calls tell: what was read of a file before anything wrote it (whole texts,
 * ranges of lines, the old text of edits). Files nobody looked at are not there; whoever compares must take them for unknown.
 */
export async function inferStartTree(log: readonly SessionEvent[], options: InferOptions = {}): Promise<InferredTree> {
  const events = soundEvents(log);
  const { blobs } = options;
  const fold = new TreeEvidence(options.placement ?? recordedPlacement(events));
  for (const item of recordedItems(events)) {
    if (item.kind !== "call") continue;
    await options.pace?.();
    const { result } = item;
    // What was there before a call comes before what the call did, what was there after it comes after.
    const known =
      blobs === undefined ? [] : await knownTexts([...evidenceBefore(result), ...(result?.evidence ?? [])], blobs);
    for (const { path, text, known: when } of known) if (when !== "after") fold.sawWhole(path, text);
    const output = result === undefined ? undefined : await inlinedValue(result.result.output, blobs);
    fold.add(item, output ?? null);
    for (const { path, text, known: when } of known) if (when === "after") fold.holds(path, text);
  }
  return fold.finish();
}

/** What a log of ours tells of the files a call has changed. */
function evidenceBefore(
  result: RecordedCall["result"],
): readonly Pick<FileEvidenceRecord, "path" | "known" | "blob">[] {
  return (result?.changes ?? []).flatMap(({ path, before }) =>
    before === undefined ? [] : [{ path, known: "before" as const, blob: before }],
  );
}

type KnownText = Pick<FileEvidenceRecord, "path" | "known"> & { readonly text: string };

async function knownTexts(
  evidence: readonly Pick<FileEvidenceRecord, "path" | "known" | "blob">[],
  blobs: BlobReader,
): Promise<KnownText[]> {
  const texts: KnownText[] = [];
  for (const { path, known, blob } of evidence) {
    const bytes = await blobs.get(blob);
    if (bytes !== undefined) texts.push({ path, known, text: new TextDecoder().decode(bytes) });
  }
  return texts;
}

class TreeEvidence {
  readonly #placement: Placement;
  readonly #files = new Map<string, FileEvidence>();

  constructor(placement: Placement) {
    this.#placement = placement;
  }

  sawWhole(path: string, text: string): void {
    this.#file(path)?.sawWhole(text);
  }

  holds(path: string, text: string): void {
    this.#file(path)?.written(text);
  }

  add({ action, input, result }: RecordedCall, output: JsonValue): void {
    const operation = foreignOperation(action.toolName, input, action.inputText);
    if (operation === undefined || result === undefined) return;
    const isShown = result.absent !== true && result.stub !== true;
    if (result.status === "completed")
      this.#completed(
        operation,
        isShown ? recordedOf(operation, output, result.truncated === true) : undefined,
        result.stub,
      );
    else if (result.status === "failed" && "path" in operation && isMissing(result.error?.message, output))
      this.#file(operation.path ?? "")?.sawNothing();
  }

  finish(): InferredTree {
    const files: InferredFile[] = [];
    const absent = new Set<string>();
    let tree = SnapshotTree.empty;
    for (const [path, file] of [...this.#files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const start = file.start();
      if (start === undefined) {
        if (file.isAbsent) absent.add(path);
        continue;
      }
      try {
        tree = tree.withFile(path, memoryFile(start.text, 0));
        files.push({ path, ...start.known });
      } catch {
        // Another path says that a parent of this one is a file, or that it is a directory: one of them is no evidence.
      }
    }
    return { tree, files, absent };
  }

  #completed(
    operation: ForeignOperation,
    output: { operation: ForeignOperation; reading: RecordedReading } | undefined,
    stub?: boolean,
  ): void {
    if (stub === true) return;
    if (output?.operation.kind === "read") {
      const { lines, isToEnd, isCut } = output.reading;
      if (lines !== undefined) this.#file(output.operation.path)?.saw(lines, isToEnd === true && !isCut);
      return;
    }
    switch (operation.kind) {
      case "write":
        this.#file(operation.path)?.written(operation.text);
        break;
      case "edit":
        for (const { oldText, newText, all } of operation.edits)
          this.#file(operation.path)?.edited(oldText, newText, all);
        break;
      case "insert":
        this.#file(operation.path)?.inserted(operation.line, operation.text);
        break;
      case "delete":
        this.#file(operation.path)?.deleted();
        break;
      case "patch":
        this.#patched(operation.text);
        break;
      // What only looks tells nothing that is used here.
      default:
    }
  }

  #patched(text: string): void {
    for (const file of patchEdits(text) ?? []) {
      const evidence = this.#file(file.path);
      if (file.kind === "add") evidence?.written(file.text);
      else if (file.kind === "delete") evidence?.deleted();
      else {
        for (const { oldLines, newLines } of file.hunks)
          if (oldLines.length > 0) evidence?.edited(oldLines.join("\n"), newLines.join("\n"), false);
        const moved = file.movedTo === undefined ? undefined : this.#file(file.movedTo);
        if (moved !== undefined) {
          moved.written(evidence?.current ?? "");
          evidence?.deleted();
        }
      }
    }
  }

  #file(path: string): FileEvidence | undefined {
    const placed = placedPath(this.#placement, path);
    if (placed === undefined || placed === "/") return undefined;
    let file = this.#files.get(placed);
    if (file === undefined) this.#files.set(placed, (file = new FileEvidence()));
    return file;
  }
}

/** The read a call is, directly or by a command that prints a file; images and listings of directories are none. */
function recordedOf(
  operation: ForeignOperation,
  output: JsonValue,
  isTruncated: boolean,
): { operation: ForeignOperation; reading: RecordedReading } | undefined {
  if (operation.kind === "read") {
    const text = textOfOutput(output);
    if (/"type":\s*"image"|files and directories up to 2 levels deep/.test(text.slice(0, 400))) return undefined;
    if (Array.isArray(output) && output.some((part) => typeof part === "object")) {
      const isText = output.every((part: JsonValue) => (part as { type?: unknown } | null)?.type === "text");
      if (!isText) return undefined;
    }
    const reading = recordedReading(operation, output);
    return { operation, reading: { ...reading, isCut: reading.isCut || isTruncated } };
  }
  const read = operation.kind === "shell" ? commandRead(operation.command, operation.cwd) : undefined;
  if (read === undefined || operation.kind !== "shell") return undefined;
  const shown = recordedReading(operation, output);
  if ((shown.exitCode ?? 0) !== 0 || /^(?:cat|sed|head|nl): /.test(shown.text ?? "")) return undefined;
  const reading = recordedReading(read, shown.text ?? "");
  return { operation: read, reading: { ...reading, isCut: shown.isCut || reading.isCut || isTruncated } };
}

function isMissing(message: string | undefined, output: JsonValue): boolean {
  const text = `${message ?? ""} ${typeof output === "string" ? output : ""}`;
  return /not found|no such file|does not exist|cannot find|ENOENT/i.test(text.slice(0, 600));
}
