import { systemClock } from "../base";
import { commitEdits, editsFromChanges } from "./commitEdits";
import type { EditableFileSystem, FileSystem } from "./fileSystem";
import type { ForkedFileSystem } from "./forkedFileSystem";
import { importBatches } from "./importBatches";
import { Listeners } from "./listeners";
import { OverlayEditor } from "./overlayEditor";
import { OverlayLayers } from "./overlayLayers";
import { overlayReadVerbs } from "./overlayReadVerbs";
import { validFsPath } from "./path";
import type { TreeOptions } from "./snapshotVerbs";

/** A fork of a tree of which there is no free snapshot: it lies over the base, which shows through. */
export function overlayFork(base: FileSystem, options: TreeOptions): ForkedFileSystem {
  const layers = new OverlayLayers(base);
  const listeners = new Listeners();
  let latest: Promise<unknown> = Promise.resolve();
  /** Edits ask the base and wait for it: each begins when the one before has ended. */
  const inTurn = (edit: () => Promise<void>): Promise<void> => {
    const run = latest.then(edit);
    latest = run.catch(() => undefined);
    return run;
  };
  const edited = (edit: () => Promise<void>) => inTurn(edit).then(() => listeners.notify());
  const view: EditableFileSystem = {
    ...overlayReadVerbs(base, layers, options),
    write: (path, contents) => edited(() => editor.write([[path, contents]])),
    delete: (path) => edited(() => editor.delete(validFsPath(path))),
    rename: (from, to) => edited(() => editor.rename(validFsPath(from), validFsPath(to))),
    makeDirectory: (path) => edited(() => editor.makeDirectory(validFsPath(path))),
    removeDirectory: (path) => edited(() => editor.removeDirectory(validFsPath(path))),
    writeMany: async (files) => {
      for await (const batch of importBatches(files)) await edited(() => editor.write(batch));
    },
  };
  const editor = new OverlayEditor(layers, view, options.now ?? systemClock);
  return {
    ...view,
    isVersioned: false,
    snapshot: () => editor.subtree("/"),
    subscribe: listeners.subscribe,
    changes: () => Promise.resolve(layers.changes()),
    apply: () =>
      inTurn(async () => {
        const { upper } = layers;
        const edits = editsFromChanges(layers.changes(), (path) => upper.file(path), layers.directories());
        await commitEdits(base, edits);
        layers.clear();
      }),
  };
}
