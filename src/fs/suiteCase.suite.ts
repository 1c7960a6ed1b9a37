import { expect } from "vitest";
import type { DirEntry, EditableFileSystem } from "./fileSystem";
import { PathError, type PathErrorCode } from "./pathError";

/** What a tree may lack. */
export type SuitePart = "files" | "write" | "edit" | "grep" | "search" | "snapshot" | "long names";

/** One case: gets a tree that holds the files, and lets go of it afterwards. */
export type Case = (
  title: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  body: (tree: EditableFileSystem) => Promise<void>,
  part?: SuitePart,
) => void;

export async function entriesOf<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

export async function pathsOf(entries: AsyncIterable<DirEntry>): Promise<string[]> {
  return (await entriesOf(entries)).map(({ path }) => path);
}

/** Expects the promise to fail with exactly this error; a message of `undefined` is not looked at. */
export async function expectError(
  promise: Promise<unknown>,
  code: PathErrorCode,
  message: string | undefined,
  path: string,
): Promise<void> {
  const error: unknown = await promise.then(
    () => new Error("nothing was thrown"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PathError)) throw error;
  expect({ code: error.code, message: message && error.message, path: error.path }).toEqual({ code, message, path });
}
