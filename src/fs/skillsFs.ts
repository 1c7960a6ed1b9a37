import { systemClock } from "../base";
import type { FileSystem, FileToWrite } from "./fileSystem";
import { memoryFile } from "./memoryFile";
import { assertEntryName, baseName } from "./path";
import { skillHead, type SkillHead } from "./skillHead";
import { SnapshotTree } from "./snapshotTree";
import type { TreeOptions } from "./snapshotVerbs";
import { treeFs } from "./treeFs";
import type { VersionedTree } from "./versionedTree";

/** A skill: its `SKILL.md`, and what lies beside it in its folder. */
export interface Skill {
  /** The folder's name. */
  readonly folder: string;
  /** The text of its `SKILL.md`, front matter included. */
  readonly text: string;
  /** Further files by their paths in the folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A skill as an index names it; its body is read through the tree. */
export interface SkillIndexEntry extends SkillHead {
  /** The absolute path of its `SKILL.md` in the tree. */
  readonly path: string;
}

export interface SkillsFileSystem extends FileSystem, VersionedTree {
  /** What there is, by path. */
  readonly index: readonly SkillIndexEntry[];
}

/**
 * Skills as a tree to be mounted, each `SKILL.md` in a folder of its own; for reading only. The tree's brief is its index.
 * Skills are given one by one, or as a record from a folder's name to the text of its `SKILL.md`. Of two skills with one
 * folder the later is indexed, as its `SKILL.md` is the one in the tree.
 * @throws InvalidPathError for a folder or file name that leads elsewhere
 */
export function skillsFs(
  skills: readonly Skill[] | Readonly<Record<string, string>>,
  options: TreeOptions = {},
): SkillsFileSystem {
  const list = Array.isArray(skills)
    ? (skills as readonly Skill[])
    : Object.entries(skills as Readonly<Record<string, string>>).map(([folder, text]): Skill => ({ folder, text }));
  const now = (options.now ?? systemClock)();
  const files = list.flatMap((skill) => filesOf(skill));
  const byPath = new Map(list.map(indexEntry).map((entry) => [entry.path, entry]));
  const index = [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const tree = treeFs(
    SnapshotTree.empty.withFiles(files.map(([path, contents]) => [path, memoryFile(contents, now)])),
    options,
  );
  return { ...tree, index, brief: () => Promise.resolve(briefFromIndex(index)) };
}

function filesOf({ folder, text, files = {} }: Skill): FileToWrite[] {
  const root = assertEntryName(folder);
  const beside = Object.entries(files).map(([name, contents]): FileToWrite => [root + assertEntryName(name), contents]);
  return [...beside, [`${root}/SKILL.md`, text]];
}

function indexEntry({ folder, text }: Skill): SkillIndexEntry {
  const root = assertEntryName(folder);
  return { ...skillHead(text, baseName(root)), path: `${root}/SKILL.md` };
}

/** Paths are told from the mount on, which is what stands before the brief of a mounted tree. */
function briefFromIndex(index: readonly SkillIndexEntry[]): string | undefined {
  if (index.length === 0) return undefined;
  const lines = index.map(({ name, description, path }) => `- ${name}: ${description} (.${path})`);
  return ["skills; read a skill's file before you do what it is about:", ...lines].join("\n");
}
