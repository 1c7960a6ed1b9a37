import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { normalizeFsPath, observedFs } from "../fs";
import { tempFs, unionFs, type FileSystem, type RecordedMount, type Served } from "../index";
import type { GivenOptions } from "./command";
import { failure, usageError } from "./commandError";
import { nodeEngine } from "./nodeEngine";
import { nodeFs } from "./nodeFs";
import type { Terminal } from "./terminal";

/** A directory at a prefix of the tree; `directory` is absent for what an agent brings itself and for an empty tree. */
export interface CommandMount extends RecordedMount {
  readonly directory?: string;
}

/** A tree a command works on. */
export interface OpenedTree {
  readonly mounts: readonly CommandMount[];
  readonly tree: FileSystem;
  /** The same tree, telling who serves what; absent for an author's, which may lack verbs. */
  readonly observed?: (observe: (served: Served) => void) => FileSystem;
}

/** The tree of `--root` and `--mount`; `undefined` where neither is given. @throws CommandError */
export async function openTree(given: GivenOptions, terminal: Terminal): Promise<OpenedTree | undefined> {
  const root = given.text("root");
  const named = [...(root === undefined ? [] : [["/", root] as const]), ...given.texts("mount").map(mountFrom)];
  if (named.length === 0) return undefined;
  const parts: [CommandMount, FileSystem][] = [];
  for (const [prefix, name] of named) {
    if (parts.some(([mount]) => mount.prefix === prefix)) throw usageError(`Two directories are given for ${prefix}.`);
    const directory = resolve(terminal.cwd, name);
    await assertDirectory(directory);
    parts.push([{ prefix, kind: "directory", readOnly: false, directory }, nodeFs(directory)]);
  }
  return openedTree(parts);
}

/** A tree that an agent brings itself. */
export function authoredTree(tree: FileSystem): OpenedTree {
  return { mounts: [{ prefix: "/", kind: "authored", readOnly: false }], tree };
}

/** A tree in memory with nothing in it. */
export function emptyTree(): OpenedTree {
  return openedTree([[{ prefix: "/", kind: "memory", readOnly: false }, tempFs({}, { engine: nodeEngine })]]);
}

function openedTree(parts: readonly (readonly [CommandMount, FileSystem])[]): OpenedTree {
  const whole = (wrap: (prefix: string, tree: FileSystem) => FileSystem) => {
    const [first] = parts;
    if (parts.length === 1 && first?.[0].prefix === "/") return wrap("/", first[1]);
    return unionFs(Object.fromEntries(parts.map(([{ prefix }, tree]) => [prefix, wrap(prefix, tree)])));
  };
  return {
    mounts: parts.map(([mount]) => mount),
    tree: whole((_, tree) => tree),
    observed: (observe) => whole((prefix, tree) => observedFs(tree, prefix, observe)),
  };
}

function mountFrom(text: string): readonly [prefix: string, directory: string] {
  const [, prefix, directory] = /^(\/[^=]*)=(.+)$/s.exec(text) ?? [];
  if (prefix === undefined || directory === undefined) throw usageError(`--mount takes /PREFIX=DIR, not ${text}.`);
  return [normalizeFsPath(prefix), directory];
}

async function assertDirectory(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => undefined);
  if (found === undefined) throw failure(`There is no directory ${directory}.`);
  if (!found.isDirectory()) throw failure(`${directory} is not a directory.`);
}
