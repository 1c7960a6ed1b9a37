import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEditableDisk } from "./commitEdits";
import type { DirEntry, EditableFileSystem, FileSystem } from "./fileSystem";
import { ancestorPaths, isUnder, normalizeFsPath } from "./path";
import { PathError, type PathErrorCode } from "./pathError";

/** What an operation came to: its value, or its error by code, message and path. */
type Outcome = { readonly value: unknown } | { readonly code: string; readonly message: string; readonly path: string };

export type Operation =
  | { readonly verb: "write"; readonly path: string; readonly contents: string | Uint8Array }
  | { readonly verb: "writeMany"; readonly files: readonly (readonly [string, string])[] }
  | { readonly verb: "rename"; readonly path: string; readonly to: string }
  | {
      readonly verb: "read" | "stat" | "list" | "delete" | "makeDirectory" | "removeDirectory";
      readonly path: string;
    };

/** A tree as plain as can be: every path in one map. What the trees do is held against it. */
export class FileSystemModel {
  readonly files = new Map<string, string | Uint8Array>();
  /** Directories somebody made. */
  readonly made = new Set<string>();
  /** Directories that can be neither moved nor removed: mounts and what leads to them. */
  readonly fixed: readonly string[];

  constructor(files: Readonly<Record<string, string | Uint8Array>>, fixed: readonly string[] = []) {
    this.fixed = fixed;
    for (const [path, contents] of Object.entries(files)) this.files.set(path, contents);
    for (const path of fixed) this.made.add(path);
  }

  kind(path: string): "file" | "directory" | "missing" {
    if (path === "/" || this.made.has(path)) return "directory";
    if (this.files.has(path)) return "file";
    return [...this.files.keys(), ...this.made].some((other) => isUnder(other, path)) ? "directory" : "missing";
  }

  list(prefix: string): string[] {
    const paths = new Set<string>();
    for (const path of [...this.files.keys(), ...this.made])
      for (const each of [...ancestorPaths(path), path]) paths.add(each);
    return [...paths].filter((path) => path !== prefix && isUnder(path, prefix)).toSorted();
  }

  run(operation: Operation): unknown {
    if (operation.verb === "writeMany") return this.#writeMany(operation.files);
    const path = normalizeFsPath(operation.path);
    const kind = this.kind(path);
    switch (operation.verb) {
      case "list":
        return this.list(path).map((each) => [each, this.kind(each)]);
      case "stat":
        return kind;
      case "read":
        this.#assertFile(path);
        return this.files.get(path);
      case "delete":
        this.#assertFile(path);
        return void this.files.delete(path);
      case "write":
        return this.#write(path, operation.contents);
      case "makeDirectory":
        if (kind === "file" || this.#hasFileAbove(path)) fail("not-a-directory", "not a directory", path);
        return void (path !== "/" && this.made.add(path));
      case "removeDirectory":
        return this.#removeDirectory(path, kind);
      case "rename":
        break;
    }
    return this.#rename(path, kind, normalizeFsPath(operation.to));
  }

  #write(path: string, contents: string | Uint8Array): void {
    if (this.kind(path) === "directory") fail("not-a-file", "not a file", path);
    if (this.#hasFileAbove(path)) fail("not-a-directory", "not a directory", path);
    this.files.set(path, contents);
  }

  #writeMany(files: readonly (readonly [string, string])[]): void {
    const before = new Map(this.files);
    try {
      for (const [path, contents] of files) this.#write(normalizeFsPath(path), contents);
    } catch (error) {
      this.files.clear();
      for (const [path, contents] of before) this.files.set(path, contents);
      throw error;
    }
  }

  #removeDirectory(path: string, kind: string): void {
    if (path === "/" || this.fixed.includes(path)) fail("invalid-path", "invalid path", path);
    if (kind === "missing") fail("not-found", "not found", path);
    if (kind === "file") fail("not-a-directory", "not a directory", path);
    for (const paths of [this.files, this.made]) {
      for (const each of paths.keys()) if (isUnder(each, path)) paths.delete(each);
    }
  }

  #rename(from: string, kind: string, to: string): void {
    if (from === "/" || this.fixed.includes(from)) fail("invalid-path", "invalid path", from);
    if (kind === "missing") fail("not-found", "not found", from);
    if (from === to) return;
    if (isUnder(to, from)) fail("invalid-path", "invalid path", to);
    if (this.kind(to) !== "missing") fail("conflict", "conflict", to);
    if (this.#hasFileAbove(to)) fail("not-a-directory", "not a directory", to);
    for (const [path, contents] of [...this.files].filter(([each]) => isUnder(each, from))) {
      this.files.delete(path);
      this.files.set(to + path.slice(from.length), contents);
    }
    for (const path of [...this.made].filter((each) => isUnder(each, from))) {
      this.made.delete(path);
      this.made.add(to + path.slice(from.length));
    }
  }

  #assertFile(path: string): void {
    if (this.kind(path) === "missing") fail("not-found", "not found", path);
    if (this.kind(path) === "directory") fail("not-a-file", "not a file", path);
  }

  #hasFileAbove(path: string): boolean {
    return ancestorPaths(path).some((above) => this.files.has(above));
  }
}

class ModelError extends Error {
  readonly code: PathErrorCode;
  readonly path: string;
  constructor(code: PathErrorCode, words: string, path: string) {
    super(`${words}: ${path}`);
    this.code = code;
    this.path = path;
  }
}

function fail(code: PathErrorCode, words: string, path: string): never {
  throw new ModelError(code, words, path);
}

const names = fc.constantFrom("a", "a-b", "b", "a.txt", "é", "e\u0301", "b c", "🙂", "..");
const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join("/")}`);
const contents = fc.oneof(
  fc.constantFrom("", "one\n", "two\r\n", "\uFEFFthree"),
  fc.constant(Uint8Array.of(0xff, 0, 0x42)),
);

/** Operations on few names, so that they meet each other. */
export const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ verb: fc.constant("write" as const), path: paths, contents }) },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant("writeMany" as const),
      files: fc.array(fc.tuple(paths, fc.constantFrom("x", "y")), { maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("rename" as const), path: paths, to: paths }) },
  {
    weight: 6,
    arbitrary: fc.record({
      verb: fc.constantFrom("read", "stat", "list", "delete", "delete", "makeDirectory", "removeDirectory" as const),
      path: paths,
    }),
  },
);

/** Runs the operations on both, and expects of each the same outcome and in the end the same tree. */
export async function expectAgreement(
  tree: EditableFileSystem,
  model: FileSystemModel,
  steps: readonly Operation[],
): Promise<void> {
  for (const step of steps) {
    const expected = await outcome(() => model.run(step));
    const actual = await outcome(() => runOn(tree, step));
    // Of several files that cannot be written any may be named.
    if (step.verb === "writeMany") expect("code" in actual, `${step.verb} fails`).toBe("code" in expected);
    else expect({ step, ...actual }).toEqual({ step, ...expected });
  }
  await expectSameTree(tree, model);
}

export async function expectSameTree(tree: FileSystem, model: FileSystemModel): Promise<void> {
  expect(await listOf(tree, "/")).toEqual(model.list("/").map((path) => [path, model.kind(path)]));
  for (const [path, expected] of model.files) expect(await tree.read(path)).toEqual(expected);
}

async function runOn(tree: EditableFileSystem, step: Operation): Promise<unknown> {
  switch (step.verb) {
    case "list":
      return listOf(tree, step.path);
    case "stat":
      return (await tree.stat(step.path)).kind;
    case "write":
      return tree.write(step.path, step.contents);
    case "rename":
      return tree.rename(step.path, step.to);
    case "writeMany":
      return tree.writeMany(step.files);
    case "read":
    case "delete":
    case "makeDirectory":
    case "removeDirectory":
      break;
  }
  return tree[step.verb](step.path);
}

async function listOf(tree: FileSystem, prefix: string): Promise<(readonly [string, DirEntry["kind"]])[]> {
  const entries: (readonly [string, DirEntry["kind"]])[] = [];
  for await (const { path, kind } of tree.list(prefix)) entries.push([path, kind]);
  return entries;
}

async function outcome(act: () => unknown): Promise<Outcome> {
  try {
    return { value: await act() };
  } catch (error) {
    if (!(error instanceof PathError) && !(error instanceof ModelError)) throw error;
    return { code: error.code, message: error.message, path: error.path };
  }
}

export interface ModelOptions {
  /** Directories the tree has from the beginning and keeps: mounts. */
  readonly fixed?: readonly string[];
  /** Why an import of several files need not be all or none. */
  readonly notAtomic?: string;
  readonly runs?: number;
  /** Lets go of what the factory made. */
  readonly close?: (tree: FileSystem) => Promise<void>;
}

/** Holds random sequences of operations on a tree against the model. */
export function describeAgainstModel(
  name: string,
  factory: (files: Readonly<Record<string, string>>) => FileSystem | Promise<FileSystem>,
  { fixed = [], notAtomic, runs = 200, close }: ModelOptions = {},
): void {
  const start = { "/a/a.txt": "start", "/a/b/b c": "deep", "/b": "file", "/a-b/é": "accent" };
  describe(`${name} against a plain model`, () => {
    it(`agrees on random operations${notAtomic === undefined ? "" : ` (imports left out: ${notAtomic})`}`, async () => {
      const steps = notAtomic === undefined ? operations : operations.filter(({ verb }) => verb !== "writeMany");
      await fc.assert(
        fc.asyncProperty(fc.array(steps, { maxLength: 30 }), async (sequence) => {
          const tree = await factory(start);
          if (!isEditableDisk(tree)) throw new Error("only a disk can be held against the model");
          await expectAgreement(tree, new FileSystemModel(start, fixed), sequence);
          await close?.(tree);
        }),
        { numRuns: runs },
      );
    });
  });
}
