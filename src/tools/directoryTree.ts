import type { DirEntry } from "../fs";
import type { DirectoryTreeNode, ListOutput } from "./toolOutputs";

interface Node {
  readonly path: string;
  readonly directories: Map<string, Node>;
  readonly files: string[];
}

/** Gathers the entries below a directory and shows as many as may be shown, the upper levels first. */
export class DirectoryTreeBuilder {
  readonly #root: Node;
  readonly #prefix: string;
  readonly #isIgnored: (relativePath: string) => boolean;
  /** By relative path; an ignored directory is there as `undefined`, so that its entries are passed over at once. */
  readonly #directories = new Map<string, Node | undefined>();

  constructor(path: string, isIgnored: (relativePath: string) => boolean) {
    this.#root = { path, directories: new Map(), files: [] };
    this.#prefix = path === "/" ? "/" : `${path}/`;
    this.#isIgnored = isIgnored;
    this.#directories.set("", this.#root);
  }

  add(entry: DirEntry): void {
    const relativePath = entry.path.slice(this.#prefix.length);
    if (entry.kind === "directory") {
      this.#directory(relativePath);
      return;
    }
    const { parent, name } = parted(relativePath);
    const directory = this.#directory(parent);
    if (directory && !this.#isIgnored(relativePath)) directory.files.push(name);
  }

  /** The tree, cut so that it shows about `entryLimit` entries. */
  finish(entryLimit: number): ListOutput {
    const shown = shownNodes(this.#root, entryLimit);
    let hiddenEntries = 0;
    const result = (node: Node): DirectoryTreeNode => {
      const { directories, files, isCut } = shown.get(node) ?? { directories: [], files: [], isCut: true };
      const hidden = isCut ? hiddenBelow(node, new Set(directories), files.length) : { entries: 0, extensions: {} };
      hiddenEntries += hidden.entries;
      return {
        absPath: node.path,
        childrenDirs: directories.map(result),
        childrenFiles: files.map((name) => ({ name })),
        childrenWereProcessed: !isCut,
        fullSubtreeExtensionCounts: hidden.extensions,
        numFiles: fileCount(node),
      };
    };
    const directoryTreeRoot = result(this.#root);
    return hiddenEntries === 0 ? { directoryTreeRoot } : { directoryTreeRoot, hiddenEntries };
  }

  /** The node of a directory, made with those above it; `undefined` where it or one above it is ignored. */
  #directory(relativePath: string): Node | undefined {
    if (this.#directories.has(relativePath)) return this.#directories.get(relativePath);
    const { parent, name } = parted(relativePath);
    const above = this.#directory(parent);
    const isShown = above !== undefined && !this.#isIgnored(relativePath);
    const node = isShown ? { path: this.#prefix + relativePath, directories: new Map(), files: [] } : undefined;
    if (above && node) above.directories.set(name, node);
    this.#directories.set(relativePath, node);
    return node;
  }
}

interface Shown {
  readonly directories: readonly Node[];
  readonly files: readonly string[];
  readonly isCut: boolean;
}

/** Level by level, whole directories while they fit; only the listed directory itself is shown in part. */
function shownNodes(root: Node, entryLimit: number): Map<Node, Shown> {
  const shown = new Map<Node, Shown>();
  let left = entryLimit;
  const queue = [root];
  for (const node of queue) {
    const names = sorted(node);
    if (names.length > left && node !== root) continue;
    const visible = new Set(names.slice(0, left));
    left -= visible.size;
    const directories = sortedDirectories(node).filter(({ path }) => visible.has(baseOf(path)));
    const files = sortedFiles(node).filter((name) => visible.has(name));
    shown.set(node, { directories, files, isCut: visible.size < names.length });
    queue.push(...directories);
  }
  return shown;
}

function hiddenBelow(node: Node, visible: ReadonlySet<Node>, visibleFiles: number) {
  const counts = new Map<string, number>();
  let entries = 0;
  const count = (files: readonly string[]) => {
    entries += files.length;
    for (const name of files) counts.set(extensionOf(name), (counts.get(extensionOf(name)) ?? 0) + 1);
  };
  const countAll = (directory: Node) => {
    count(directory.files);
    entries += directory.directories.size;
    for (const child of directory.directories.values()) countAll(child);
  };
  count(sortedFiles(node).slice(visibleFiles));
  for (const child of node.directories.values()) {
    if (visible.has(child)) continue;
    entries++;
    countAll(child);
  }
  const byCount = [...counts].toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  return { entries, extensions: Object.fromEntries(byCount) };
}

function fileCount(node: Node): number {
  return [...node.directories.values()].reduce((count, child) => count + fileCount(child), node.files.length);
}

function sorted(node: Node): string[] {
  return [...node.directories.keys(), ...node.files].toSorted(inPlainOrder);
}

function sortedDirectories(node: Node): Node[] {
  return [...node.directories.values()].toSorted((a, b) => inPlainOrder(a.path, b.path));
}

function sortedFiles(node: Node): string[] {
  return node.files.toSorted(inPlainOrder);
}

/** `.ts` of `a.test.ts`; nothing for `Makefile` and `.gitignore`. */
function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot) : "";
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function parted(relativePath: string): { parent: string; name: string } {
  const slash = relativePath.lastIndexOf("/");
  return { parent: slash < 0 ? "" : relativePath.slice(0, slash), name: relativePath.slice(slash + 1) };
}

function inPlainOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
