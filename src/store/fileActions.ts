import { limits } from "../base";
import { isUnder, joinFsPath, parentPath, type EditableFileSystem, type FileToWrite, type SnapshotTree } from "../fs";
import { messageFromError } from "./messageFromError";
import { nameProblem } from "./mountRules";
import type { NoticeStore } from "./noticeStore";
import type { PersonChanges } from "./personChanges";
import { restorePaths } from "./restorePaths";

/** What a person does to files in the tree. Each answers a sentence that says why not, or nothing when it is done. */
export interface FileActions {
  /** Writes one file, e.g. from the editor. @throws PathError */
  readonly write: (path: string, contents: string | Uint8Array) => Promise<void>;
  readonly createFile: (directory: string, name: string) => Promise<string | undefined>;
  readonly createFolder: (directory: string, name: string) => Promise<string | undefined>;
  /** Renames or moves; between mounts too. */
  readonly move: (from: string, to: string) => Promise<string | undefined>;
  /** Deletes files and folders and offers to undo. */
  readonly remove: (paths: readonly string[]) => Promise<string | undefined>;
  /** Puts files back to what they were when the run began, and offers to undo; all changed ones when no path is given. */
  readonly revert: (paths?: readonly string[]) => Promise<string | undefined>;
  /** A file as it is, or a folder as a zip. */
  readonly download: (path: string) => Promise<{ readonly name: string; readonly contents: Blob } | undefined>;
}

export interface FileActionNeeds {
  readonly notices: NoticeStore;
  /** Every write goes through it. */
  readonly report: PersonChanges["report"];
  tree(): EditableFileSystem;
  /** The merged tree as it is now. */
  snapshot(): Promise<SnapshotTree>;
  /** The files as they were when the run began, each where its mount stands now. */
  baseline(): Promise<SnapshotTree | undefined>;
  changedPaths(): readonly string[];
  /** The mount that serves a path. */
  mountOf(path: string): { readonly id: string; readonly prefix: string } | undefined;
}

export function fileActions(needs: FileActionNeeds): FileActions {
  const offerUndo = undoOffers(needs);
  return {
    write(path, contents) {
      return needs.report("edit", [path], () => needs.tree().write(path, contents));
    },
    createFile: (directory, name) => create(needs, directory, name, (path) => needs.tree().write(path, "")),
    createFolder: (directory, name) => create(needs, directory, name, (path) => needs.tree().makeDirectory(path)),
    async move(from, to) {
      if (from === to) return undefined;
      const problem = to === "/" ? "It needs a name." : nameProblem(to.slice(1), from);
      if (problem) return problem;
      if (isUnder(to, from)) return "A folder cannot be moved into itself.";
      const { kind } = await needs.tree().stat(to);
      if (kind !== "missing") return `There is something at ${to} already.`;
      return needs.report("edit", [from, to], () => attempt(() => moveEntry(needs, from, to)));
    },
    async remove(paths) {
      const before = await needs.snapshot();
      const failures: string[] = [];
      const removed: string[] = [];
      await needs.report("edit", paths, async () => {
        for (const path of paths) {
          const entry = before.entry(path);
          if (!entry) continue;
          const problem = await attempt(() =>
            entry.kind === "file" ? needs.tree().delete(path) : needs.tree().removeDirectory(path),
          );
          if (problem) failures.push(problem);
          else removed.push(path);
        }
      });
      if (removed.length > 0) offerUndo("revert", `Deleted ${countedPaths(removed)}`, before, removed);
      return failures[0];
    },
    async revert(paths = needs.changedPaths()) {
      const baseline = await needs.baseline();
      if (!baseline || paths.length === 0) return undefined;
      const before = await needs.snapshot();
      const problem = await needs.report("revert", paths, () =>
        attempt(() => restorePaths(needs.tree(), baseline, paths)),
      );
      if (!problem) offerUndo("edit", `Reverted ${countedPaths(paths)}`, before, paths);
      return problem;
    },
    async download(path) {
      const tree = await needs.snapshot();
      const entry = tree.entry(path);
      if (!entry) return undefined;
      const name = path.slice(parentPath(path).length).replace(/^\//, "");
      if (entry.kind === "file")
        return { name, contents: new Blob([(await entry.bytes()) as Uint8Array<ArrayBuffer>]) };
      const { zippedTree } = await import("./zipTools");
      return { name: `${name || "files"}.zip`, contents: await zippedTree(tree, path) };
    },
  };
}

async function attempt(action: () => Promise<void>): Promise<string | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    return messageFromError(error);
  }
}

async function create(
  needs: FileActionNeeds,
  directory: string,
  name: string,
  make: (path: string) => Promise<void>,
): Promise<string | undefined> {
  const problem = nameProblem(name);
  if (problem) return problem;
  const path = joinFsPath(directory, name);
  const { kind } = await needs.tree().stat(path);
  if (kind !== "missing") return `There is a ${kind === "file" ? "file" : "folder"} called ${name} already.`;
  return needs.report("edit", [path], () => attempt(() => make(path)));
}

/** Offers to put paths back to what they were: into the mounts they were in, and no others. */
function undoOffers(needs: FileActionNeeds) {
  const { notices } = needs;
  const placeOf = (path: string) => {
    const mount = needs.mountOf(path);
    return mount && `${mount.id} ${mount.prefix}`;
  };
  return (reason: "edit" | "revert", text: string, before: SnapshotTree, paths: readonly string[]) => {
    const places = new Map(paths.map((path) => [path, placeOf(path)] as const));
    const undo = async () => {
      const strayed = paths.find((path) => placeOf(path) !== places.get(path));
      const problem =
        strayed === undefined
          ? await needs.report(reason, paths, () => attempt(() => restorePaths(needs.tree(), before, paths)))
          : `the mount that ${strayed} was in no longer serves it.`;
      if (problem) notices.getState().push({ tone: "bad", text: `Not put back: ${problem}` });
    };
    notices
      .getState()
      .push({ tone: "info", text, timeoutMs: limits.undoMs, action: { label: "Undo", run: () => void undo() } });
  };
}

function countedPaths(paths: readonly string[]): string {
  return paths.length === 1 ? (paths[0] ?? "") : `${paths.length} entries`;
}

async function moveEntry(needs: FileActionNeeds, from: string, to: string): Promise<void> {
  const tree = needs.tree();
  if (needs.mountOf(from)?.id === needs.mountOf(to)?.id) return tree.rename(from, to);
  const before = await needs.snapshot();
  const entry = before.entry(from);
  if (!entry) return tree.rename(from, to);
  if (entry.kind === "file") {
    await tree.write(to, await entry.bytes());
    return tree.delete(from);
  }
  if (entry.fileCount === 0) await tree.makeDirectory(to);
  await tree.writeMany(movedFiles(before, from, to));
  return tree.removeDirectory(from);
}

async function* movedFiles(tree: SnapshotTree, from: string, to: string): AsyncGenerator<FileToWrite> {
  for (const [path, file] of tree.files(from)) yield [to + path.slice(from.length), await file.bytes()];
}
