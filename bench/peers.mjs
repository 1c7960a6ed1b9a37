// The peers have their own package.json here, so that they are no dependency of the product. Each is behind one face; what
// it holds is written and read as it documents, a file at a time where it knows no other way.
import LightningFS from "@isomorphic-git/lightning-fs";
import { configureSingle, fs } from "@zenfs/core";
import { IndexedDB } from "@zenfs/dom";
import { createStore, get, keys, set } from "idb-keyval";
import { memfs } from "memfs";

/** @param {string} name */
export function lightningDisk(name) {
  const disk = new LightningFS(name, { wipe: true }).promises;
  return {
    ...nodeLike(disk),
    flush: () => disk.flush(),
  };
}

/** @param {string} name */
export async function zenDisk(name) {
  await configureSingle({ backend: IndexedDB, storeName: name });
  return { ...nodeLike(fs.promises), flush: async () => undefined };
}

/** In memory only: what a disk would cost if it kept nothing. */
export function memfsDisk() {
  const { fs: memory } = memfs();
  return { ...nodeLike(memory.promises), flush: async () => undefined };
}

/** @param {any} promises the part of Node's `fs.promises` that all of them have */
function nodeLike(promises) {
  /** @param {string} directory @returns {Promise<number>} */
  const count = async (directory) => {
    let entries = 0;
    for (const name of await promises.readdir(directory)) {
      const path = directory === "/" ? `/${name}` : `${directory}/${name}`;
      entries += 1 + ((await promises.stat(path)).isDirectory() ? await count(path) : 0);
    }
    return entries;
  };
  return {
    makeDirectory: (/** @type {string} */ path) => promises.mkdir(path),
    write: (/** @type {string} */ path, /** @type {string} */ text) => promises.writeFile(path, text),
    read: (/** @type {string} */ path) => promises.readFile(path, "utf8"),
    stat: (/** @type {string} */ path) => promises.stat(path),
    list: () => count("/"),
  };
}

/** idb-keyval as it comes: a record a file, a call a file. @param {string} name */
export function keyvalDisk(name) {
  const store = createStore(name, "files");
  return {
    makeDirectory: async () => undefined,
    write: (/** @type {string} */ path, /** @type {string} */ text) => set(path, text, store),
    read: (/** @type {string} */ path) => get(path, store),
    stat: async (/** @type {string} */ path) => (await get(path, store)).length,
    list: async () => (await keys(store)).length,
    flush: async () => undefined,
  };
}

/** The origin's private file system, a file each. @param {string} name */
export async function opfsDisk(name) {
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
  /** @param {string} path @param {boolean} create */
  const directory = async (path, create) => {
    let at = root;
    for (const part of path.split("/").filter(Boolean)) at = await at.getDirectoryHandle(part, { create });
    return at;
  };
  /** @param {string} path @param {boolean} create */
  const file = async (path, create) => {
    const slash = path.lastIndexOf("/");
    return (await directory(path.slice(0, slash), false)).getFileHandle(path.slice(slash + 1), { create });
  };
  /** @param {any} from @returns {Promise<number>} */
  const count = async (from) => {
    let entries = 0;
    for await (const handle of from.values()) entries += 1 + (handle.kind === "directory" ? await count(handle) : 0);
    return entries;
  };
  return {
    makeDirectory: async (/** @type {string} */ path) => void (await directory(path, true)),
    write: async (/** @type {string} */ path, /** @type {string} */ text) => {
      const writable = await (await file(path, true)).createWritable();
      await writable.write(text);
      await writable.close();
    },
    read: async (/** @type {string} */ path) => (await (await file(path, false)).getFile()).text(),
    stat: async (/** @type {string} */ path) => (await (await file(path, false)).getFile()).size,
    list: () => count(root),
    flush: async () => undefined,
  };
}

/**
 * One file of the origin's private file system that holds all: no disk, but what its bytes cost there.
 * @param {string} name @param {readonly Uint8Array[]} buffers
 */
export async function opfsPackWrite(name, buffers) {
  const root = await navigator.storage.getDirectory();
  const writable = await (await root.getFileHandle(name, { create: true })).createWritable();
  for (const bytes of buffers) await writable.write(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
  await writable.close();
}

/** @param {string} name */
export async function opfsPackRead(name) {
  const root = await navigator.storage.getDirectory();
  return (await (await root.getFileHandle(name)).getFile()).arrayBuffer();
}

/** Removes what the peers left in the origin's private file system. */
export async function clearOpfs() {
  const root = await navigator.storage.getDirectory();
  // @ts-expect-error -- the type of a directory's iterator is not in every version of the library
  for await (const name of root.keys()) await root.removeEntry(name, { recursive: true });
}
