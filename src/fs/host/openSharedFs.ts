import { sha256HexSync } from "../../base";
import type { FileSystem } from "../fileSystem";
import { ElsewhereError, PathError } from "../pathError";
import { readOnlyFs } from "../readOnlyFs";
import type { HostFilesApi, HostWrite } from "./hostFilesApi";
import { hostFs, type HostFsOptions } from "./hostFs";

export interface SharedFsOptions extends Pick<HostFsOptions, "engine"> {
  /** The directory of the store that becomes the root. */
  readonly scope?: string;
  /** What becomes of a store that cannot keep writers apart, or takes no writes: it is refused, or opened for reading only. */
  readonly otherwise?: "refuse" | "read-only";
}

export interface SharedFs {
  readonly tree: FileSystem;
  /** Why it is for reading only, in words for a person; `undefined` when it can be written. */
  readonly readOnlyReason: string | undefined;
}

/** The store would let one writer undo the work of another without either being told. */
export class UnsafeStoreError extends ElsewhereError {
  override withPath(path: string): PathError {
    return new UnsafeStoreError(path, this.reason);
  }
}

/**
 * Opens a store that others write too. It is tried out first with a small file: a write or deletion that names a version
 * which is not there must be refused by the store itself, or the store is not safe for shared writing.
 * @throws UnsafeStoreError, PermissionError, UnavailableError
 */
export async function openSharedFs(files: HostFilesApi, options: SharedFsOptions = {}): Promise<SharedFs> {
  const { scope = "/", otherwise = "refuse", engine } = options;
  const tree = hostFs(files, scope, { asksFirst: true, ...(engine && { engine }) });
  // What cannot even be looked at cannot be opened at all.
  for await (const _ of tree.list()) break;
  try {
    const problem = await writingProblem(files, scope);
    if (problem === undefined) return { tree, readOnlyReason: undefined };
    throw new UnsafeStoreError("/", `This store is not safe for shared writing: ${problem}`);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    // The small file it was about is nobody else's business.
    if (otherwise === "refuse") throw error.withPath("/");
    const reason = "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
    return { tree: readOnlyFs(tree), readOnlyReason: reason };
  }
}

/** What is wrong with how the store keeps conditions; `undefined` when it keeps them. Leaves nothing behind. */
async function writingProblem(files: HostFilesApi, scope: string): Promise<string | undefined> {
  const path = `${scope === "/" ? "" : scope}/.rootscope-probe-${crypto.randomUUID()}`;
  const noEtag = `"${sha256HexSync(path)}"`;
  const bytes = (text: string) => new TextEncoder().encode(text);
  try {
    const overNothing = await files.write(path, bytes("0"), { ifMatch: noEtag });
    if (overNothing.kind === "written") return IGNORES_IF_MATCH;
    const created = await files.write(path, bytes("1"), { ifNoneMatch: "*" });
    if (created.kind === "changed") return "it refuses to create a file that is not there (If-None-Match: *).";
    if (created.etag === undefined) {
      const isReadWith = (await files.read(path))?.etag !== undefined;
      return hidesEtag(files, isReadWith ? "a write (PUT)" : "a write (PUT) or to the read after it (GET)");
    }
    return await problemOfCreated(files, path, created.etag, bytes("2"), noEtag);
  } finally {
    await files.delete(path).catch(() => undefined);
  }
}

async function problemOfCreated(
  files: HostFilesApi,
  path: string,
  etag: string,
  bytes: Uint8Array,
  noEtag: string,
): Promise<string | undefined> {
  const isWritten = ({ kind }: HostWrite) => kind === "written";
  if (isWritten(await files.write(path, bytes, { ifNoneMatch: "*" }))) {
    return "it overwrites a file that should be created only if there is none (If-None-Match: *).";
  }
  if (isWritten(await files.write(path, bytes, { ifMatch: noEtag }))) return IGNORES_IF_MATCH;
  const read = await files.read(path);
  if (read?.etag === undefined) return hidesEtag(files, "a read (GET)");
  if (read.etag !== etag)
    return "the etag of a file it answers a read with is not the one it gave when the file was written.";
  if ((await files.delete(path, noEtag)) === "deleted") return "it deletes a file whose version is another (If-Match).";
  return undefined;
}

const IGNORES_IF_MATCH = "it overwrites a file although its version is another (it should answer If-Match with 412).";

/** `answerTo` names the requests whose answers lacked it. */
function hidesEtag({ etagAdvice }: HostFilesApi, answerTo: string): string {
  const lacks = `it does not say which version of a file it has: its answer to ${answerTo} has no ETag.`;
  const advice = etagAdvice === undefined ? "" : ` ${etagAdvice}`;
  return `${lacks} It must send a strong ETag, and for pages of another address Access-Control-Expose-Headers: ETag.${advice}`;
}
