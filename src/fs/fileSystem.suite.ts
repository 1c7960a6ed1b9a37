import { describe, it, type TestContext } from "vitest";
import type { EditableFileSystem, FileSystem } from "./fileSystem";
import { emptyCases, globCases, grepCases, listCases, readCases, statCases } from "./readingCases.suite";
import { searchCases, unindexedCases } from "./searchCases.suite";
import type { Case, SuitePart } from "./suiteCase.suite";
import { deleteCases, editCases, pathCases, snapshotCases, writeCases } from "./writingCases.suite";

export interface SuiteOptions {
  /** Parts that do not run, each with its reason. `files`: the tree holds none, ever. `search`: it has no index, and must find nothing. */
  readonly skips?: Partial<Record<SuitePart, string>>;
  /** Lets go of what the factory made. */
  readonly close?: (tree: FileSystem) => Promise<void>;
}

export type TreeFactory = (files: Readonly<Record<string, string | Uint8Array>>) => FileSystem | Promise<FileSystem>;

/** What every tree must do (docs/filesystem.md, sections 1 and 2), whatever keeps it. */
export function describeFileSystem(name: string, factory: TreeFactory, { skips = {}, close }: SuiteOptions = {}): void {
  const that: Case = (title, files, body, part) => {
    it(title, async (context: TestContext) => {
      const needed = [part, Object.keys(files).length > 0 ? ("files" as const) : undefined];
      const reason = needed.flatMap((one) => (one === undefined ? [] : (skips[one] ?? [])))[0];
      if (reason !== undefined) context.skip(reason);
      const tree = await factory(files);
      try {
        // The cases that edit are skipped for trees that cannot.
        await body(tree as EditableFileSystem);
      } finally {
        await close?.(tree);
      }
    });
  };
  describe(`${name} as a file system`, () => {
    describe("empty", () => emptyCases(that));
    describe("list", () => listCases(that));
    describe("stat", () => statCases(that));
    describe("glob", () => globCases(that));
    describe("read", () => readCases(that));
    describe("grep", () => grepCases(that));
    describe("search", () => (skips.search === undefined ? searchCases(that) : unindexedCases(that)));
    describe("write", () => writeCases(that));
    describe("delete", () => deleteCases(that));
    describe("paths", () => pathCases(that));
    describe("editing", () => editCases(that));
    describe("snapshots", () => snapshotCases(that));
  });
}
