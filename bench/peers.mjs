// The peers have their own package.json here, so that they are no dependency of the product.
import LightningFS from "@isomorphic-git/lightning-fs";
import { configureSingle, fs } from "@zenfs/core";
import { IndexedDB } from "@zenfs/dom";

/** @param {string} name */
export function lightningDisk(name) {
  const disk = new LightningFS(name, { wipe: true }).promises;
  return {
    /** @param {string} path */
    makeDirectory: (path) => disk.mkdir(path),
    /** @param {string} path @param {string} text */
    write: (path, text) => disk.writeFile(path, text),
    flush: () => disk.flush(),
  };
}

/** @param {string} name */
export async function zenDisk(name) {
  await configureSingle({ backend: IndexedDB, storeName: name });
  return {
    /** @param {string} path */
    makeDirectory: (path) => fs.promises.mkdir(path),
    /** @param {string} path @param {string} text */
    write: (path, text) => fs.promises.writeFile(path, text),
    flush: async () => undefined,
  };
}
