import { limits } from "../../base";
import type { HostCommandDisk } from "../embedded/hostCommand";
import { HOST_ROOT } from "../host";
import { NodeLiteError } from "./nodeError";

/** A file, or a directory where `bytes` is absent. */
export interface ImageNode {
  readonly bytes?: Uint8Array;
  readonly modifiedAt: number;
}

/** What is never copied: history is for git, and nothing here can install packages. */
const LEFT_OUT = new Set([".git"]);

/**
 * The files a script sees, all in memory, because an interpreter that runs at once cannot wait for a disk. What it changes is
 * noted and stored by `store`.
 */
export class DiskImage {
  readonly nodes = new Map<string, ImageNode>([["/", { modifiedAt: 0 }]]);
  private readonly touched = new Set<string>();

  /** The files of the project and of `/tmp`. @throws NodeLiteError `too-large` */
  static async of(disk: HostCommandDisk): Promise<DiskImage> {
    const image = new DiskImage();
    let bytesLeft = limits.interpreterDiskBytes;
    const read = async (directory: string): Promise<void> => {
      for (const { name } of await disk.readdir(directory)) {
        const path = `${directory}/${name}`;
        // A link that leads nowhere is not there for a script either.
        const stat = await disk.stat(path).catch(() => undefined);
        if (stat === undefined || LEFT_OUT.has(name)) continue;
        if (stat.kind === "directory") {
          image.addDirectory(path);
          await read(path);
          continue;
        }
        bytesLeft -= stat.sizeBytes;
        if (bytesLeft < 0 || image.nodes.size > limits.interpreterDiskFiles) throw tooLarge();
        image.nodes.set(path, { bytes: await disk.readFile(path), modifiedAt: stat.modifiedAt });
      }
    };
    for (const root of [HOST_ROOT, "/tmp"]) {
      image.addDirectory(root);
      if (await disk.exists(root)) await read(root);
    }
    return image;
  }

  private addDirectory(path: string): void {
    for (let at = path; at !== "" && !this.nodes.has(at); at = at.slice(0, at.lastIndexOf("/")))
      this.nodes.set(at, { modifiedAt: 0 });
  }

  isDirectory(path: string): boolean {
    const node = this.nodes.get(path);
    return node !== undefined && node.bytes === undefined;
  }

  /** Names in a directory, in order. */
  names(path: string): string[] {
    const above = path === "/" ? "/" : `${path}/`;
    const names: string[] = [];
    for (const name of this.nodes.keys()) {
      if (name !== "/" && name.startsWith(above) && !name.includes("/", above.length))
        names.push(name.slice(above.length));
    }
    return names.toSorted();
  }

  below(path: string): string[] {
    return [...this.nodes.keys()].filter((name) => name.startsWith(`${path}/`));
  }

  write(path: string, bytes: Uint8Array): void {
    this.nodes.set(path, { bytes, modifiedAt: Date.now() });
    this.touched.add(path);
  }

  makeDirectory(path: string): void {
    for (let at = path; at !== "" && !this.nodes.has(at); at = at.slice(0, at.lastIndexOf("/"))) {
      this.nodes.set(at, { modifiedAt: Date.now() });
      this.touched.add(at);
    }
  }

  remove(path: string): void {
    for (const name of [...this.below(path), path]) {
      this.nodes.delete(name);
      this.touched.add(name);
    }
  }

  /** Puts on the disk what changed since the last time. @throws HostDiskError */
  async store(disk: HostCommandDisk): Promise<void> {
    const paths = [...this.touched].toSorted();
    this.touched.clear();
    // A file may have taken the place of a directory, and the other way: what is gone goes first.
    for (const path of paths) {
      const node = this.nodes.get(path);
      const there = await disk.stat(path).catch(() => undefined);
      const isOther = there !== undefined && (there.kind === "directory") !== (node?.bytes === undefined);
      if (there !== undefined && (node === undefined || isOther)) await disk.rm(path, { recursive: true, force: true });
    }
    for (const path of paths) if (this.isDirectory(path)) await disk.mkdir(path, { recursive: true });
    for (const path of paths) {
      const bytes = this.nodes.get(path)?.bytes;
      if (bytes !== undefined) await disk.writeFile(path, Uint8Array.from(bytes));
    }
  }
}

function tooLarge(): NodeLiteError {
  const mib = limits.interpreterDiskBytes / 1024 / 1024;
  return new NodeLiteError(
    "too-large",
    `the project holds more than the ${limits.interpreterDiskFiles} files or ${mib} MiB that are copied to a script; the WebContainer host has no such limit`,
  );
}
