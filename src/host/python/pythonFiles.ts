import type { PyodideAPI } from "pyodide";
import { HOST_ROOT } from "../host";
import type { DiskImage } from "../node/diskImage";

/** Where the disk is in Python's own file system, which lives in memory. */
export const PYTHON_ROOTS: readonly string[] = [HOST_ROOT, "/tmp"];

/** What is used of Emscripten's file system, which the package's types leave open. */
interface PythonFs {
  analyzePath(path: string): { readonly exists: boolean };
  stat(path: string): { readonly mode: number; readonly mtime: Date };
  isDir(mode: number): boolean;
  isFile(mode: number): boolean;
  readdir(path: string): string[];
  readFile(path: string): Uint8Array;
  writeFile(path: string, bytes: Uint8Array): void;
  utime(path: string, accessedAt: number, modifiedAt: number): void;
  mkdirTree(path: string): void;
  rmdir(path: string): void;
  unlink(path: string): void;
}

/** Modification times of what was put there: another one afterwards is a file Python wrote. */
export type PythonTimes = Map<string, number>;

/** Makes the roots hold exactly what the disk holds. `known` is what they held before; answers what they hold now. */
export function filesIntoPython(pyodide: PyodideAPI, image: DiskImage, known: PythonTimes): PythonTimes {
  const fs: PythonFs = pyodide.FS;
  const times: PythonTimes = new Map();
  for (const path of [...known.keys()].toSorted().toReversed()) {
    const node = image.nodes.get(path);
    const isThere = fs.analyzePath(path).exists;
    if (isThere && (node === undefined || fs.isDir(fs.stat(path).mode) !== (node.bytes === undefined)))
      removeAll(fs, path);
  }
  for (const [path, node] of image.nodes) {
    if (!isBelowRoots(path)) continue;
    if (node.bytes === undefined) fs.mkdirTree(path);
    else if (known.get(path) !== node.modifiedAt || !fs.analyzePath(path).exists) {
      fs.writeFile(path, node.bytes);
      fs.utime(path, node.modifiedAt, node.modifiedAt);
    }
    times.set(path, node.modifiedAt);
  }
  return times;
}

/** Notes in the image what Python wrote and removed. */
export function filesFromPython(pyodide: PyodideAPI, image: DiskImage, times: PythonTimes): void {
  const fs: PythonFs = pyodide.FS;
  const found = new Set<string>();
  const look = (path: string): void => {
    const stat = fs.stat(path);
    found.add(path);
    if (fs.isDir(stat.mode)) {
      if (!image.isDirectory(path)) {
        if (image.nodes.has(path)) image.remove(path);
        image.makeDirectory(path);
      }
      for (const name of fs.readdir(path))
        if (name !== "." && name !== ".." && name !== "__pycache__") look(`${path}/${name}`);
    } else if (fs.isFile(stat.mode)) {
      const modifiedAt = stat.mtime.getTime();
      if (times.get(path) !== modifiedAt || image.nodes.get(path)?.bytes === undefined) {
        if (image.isDirectory(path)) image.remove(path);
        image.write(path, fs.readFile(path));
      }
    }
  };
  for (const root of PYTHON_ROOTS) look(root);
  for (const path of times.keys()) if (!found.has(path) && image.nodes.has(path)) image.remove(path);
}

function removeAll(fs: PythonFs, path: string): void {
  if (!fs.isDir(fs.stat(path).mode)) {
    fs.unlink(path);
    return;
  }
  for (const name of fs.readdir(path)) if (name !== "." && name !== "..") removeAll(fs, `${path}/${name}`);
  fs.rmdir(path);
}

function isBelowRoots(path: string): boolean {
  return PYTHON_ROOTS.some((root) => path === root || path.startsWith(`${root}/`));
}
