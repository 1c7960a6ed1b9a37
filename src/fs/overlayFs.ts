import type { BriefContext, DirEntry, FileInfo, FileSystem, GrepResult, SearchResult } from "./fileSystem";
import { mergedSorted } from "./mergedSorted";
import { overlaySnapshots } from "./overlaySnapshots";
import { OverlayRound } from "./overlayRound";
import { ancestorPaths, isValidFsPath, normalizeFsPath, validFsPath } from "./path";
import { FileNotFoundError } from "./pathError";
import { byLine, byPath, byScore } from "./resultOrder";
import { refusingVerbs } from "./treeFs";
import type { VersionedTree } from "./versionedTree";
import { walkedGlob } from "./walkedVerbs";

/**
 * Layers over one root, the first on top; for reading only. A path belongs to the first layer that holds it, and what lower
 * layers have there does not show. A layer that fails costs its own files: an answer is refused only when no layer gave
 * one, with the first layer's error.
 */
export function overlayFs(layers: readonly FileSystem[]): FileSystem & VersionedTree {
  return new OverlayFs(layers).verbs();
}

/** An entry and the layer it comes from. */
interface LayeredEntry {
  readonly entry: DirEntry;
  readonly layer: number;
}

class OverlayFs {
  readonly #layers: readonly FileSystem[];

  constructor(layers: readonly FileSystem[]) {
    this.#layers = layers;
  }

  verbs(): FileSystem & VersionedTree {
    const stat = (path: string) => this.#stat(normalizeFsPath(path));
    const list = (prefix = "/") => this.#list(normalizeFsPath(prefix));
    return {
      list,
      stat,
      glob: (pattern, dir = "/") => walkedGlob(list, pattern, dir),
      read: (path) => this.#read(path),
      grep: (query) =>
        this.#hits<GrepResult>(byLine, query.maxResults, (tree, cap) => tree.grep({ ...query, maxResults: cap })),
      search: (query) =>
        this.#hits<SearchResult>(byScore, query.maxResults, (tree, cap) => tree.search({ ...query, maxResults: cap })),
      brief: (context) => this.#brief(context),
      ...refusingVerbs(stat),
      ...overlaySnapshots(this.#layers),
    };
  }

  async #stat(path: string): Promise<FileInfo> {
    const round = new OverlayRound();
    for (const [layer, tree] of this.#layers.entries()) {
      const info = await round.answerOf(layer, () => tree.stat(path));
      if (info === undefined || info.kind === "missing") continue;
      return (await this.#isBelowFile(path, layer)) ? { kind: "missing" } : info;
    }
    round.end();
    return { kind: "missing" };
  }

  async #read(path: string): Promise<string | Uint8Array> {
    const valid = validFsPath(path);
    const round = new OverlayRound();
    for (const [layer, tree] of this.#layers.entries()) {
      const contents = await round.answerOf(layer, () => tree.read(valid));
      if (contents === undefined) continue;
      if (await this.#isHidden(valid, layer)) break;
      return contents;
    }
    round.end();
    throw new FileNotFoundError(valid);
  }

  /** Lists are merged as they come; where a file meets a lower directory, what is below that does not show. */
  async *#list(prefix: string): AsyncGenerator<DirEntry, void, undefined> {
    if (!isValidFsPath(prefix)) return;
    const round = new OverlayRound();
    const sources = (await this.#layersAt(prefix)).map((tree, layer) => ({
      open: () =>
        layered(
          round.itemsOf(layer, () => tree.list(prefix)),
          layer,
        ),
    }));
    /** Where a file hides a directory of lower layers, and the layer of the file. */
    const hiding = new Map<string, number>();
    let current = { path: "", fileLayer: Infinity };
    for await (const { entry, layer } of mergedSorted<LayeredEntry>(sources, (a, b) => byPath(a.entry, b.entry))) {
      const { path, kind } = entry;
      if (hiding.size > 0 && ancestorPaths(path).some((above) => (hiding.get(above) ?? Infinity) < layer)) continue;
      if (current.path !== path) {
        current = { path, fileLayer: kind === "file" ? layer : Infinity };
        yield entry;
      } else if (kind === "file") current.fileLayer = Math.min(current.fileLayer, layer);
      else if (current.fileLayer < layer) hiding.set(path, current.fileLayer);
    }
    round.end();
  }

  /** The layers that may have something below a directory: a file in the place or on the way ends them. */
  async #layersAt(directory: string): Promise<readonly FileSystem[]> {
    if (directory === "/") return this.#layers;
    for (const [layer, tree] of this.#layers.entries()) {
      const kinds = await Promise.all([...ancestorPaths(directory), directory].map((path) => kindIn(tree, path)));
      if (kinds.includes("file")) return this.#layers.slice(0, layer);
    }
    return this.#layers;
  }

  /** Hits of all layers in their order, without those on paths that a higher layer holds. */
  async *#hits<T extends { readonly path: string }>(
    compare: (a: T, b: T) => number,
    maxResults: number | undefined,
    ask: (tree: FileSystem, cap: number | undefined) => AsyncIterable<T>,
  ): AsyncGenerator<T, void, undefined> {
    const round = new OverlayRound();
    const sources = this.#layers.map((tree, layer) => ({
      // Only the hits of the top all count: what is hidden of the others must not use up the cap.
      open: () =>
        this.#visible(
          round.itemsOf(layer, () => ask(tree, layer === 0 ? maxResults : undefined)),
          layer,
        ),
    }));
    yield* mergedSorted<T>(sources, compare, { limit: maxResults });
    round.end();
  }

  async *#visible<T extends { readonly path: string }>(
    hits: AsyncIterable<T>,
    layer: number,
  ): AsyncGenerator<T, void, undefined> {
    const known = new Map<string, boolean>();
    for await (const hit of hits) {
      const isHidden = known.get(hit.path) ?? (await this.#isHidden(hit.path, layer));
      known.set(hit.path, isHidden);
      if (!isHidden) yield hit;
    }
  }

  /** Whether a layer above this one holds the path, or a file in the way to it. */
  async #isHidden(path: string, layer: number): Promise<boolean> {
    for (const tree of this.#layers.slice(0, layer)) {
      if ((await kindIn(tree, path)) !== "missing") return true;
    }
    return this.#isBelowFile(path, layer);
  }

  /** Whether a layer above this one holds a file in the way to the path. */
  async #isBelowFile(path: string, layer: number): Promise<boolean> {
    for (const tree of this.#layers.slice(0, layer)) {
      const kinds = await Promise.all(ancestorPaths(path).map((above) => kindIn(tree, above)));
      if (kinds.includes("file")) return true;
    }
    return false;
  }

  async #brief(context: BriefContext): Promise<string | undefined> {
    const round = new OverlayRound();
    const parts: string[] = [];
    for (const [layer, tree] of this.#layers.entries()) {
      const part = await round.answerOf(layer, async () => tree.brief?.(context));
      if (part) parts.push(part);
    }
    return parts.length === 0 ? undefined : parts.join("\n");
  }
}

/** Of a layer that fails nobody can say what it holds: it hides nothing. */
async function kindIn(tree: FileSystem, path: string): Promise<FileInfo["kind"]> {
  try {
    return (await tree.stat(path)).kind;
  } catch {
    return "missing";
  }
}

async function* layered(
  entries: AsyncIterable<DirEntry>,
  layer: number,
): AsyncGenerator<LayeredEntry, void, undefined> {
  for await (const entry of entries) yield { entry, layer };
}
