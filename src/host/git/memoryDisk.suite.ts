import {
  HostDiskError,
  type HostCommandDisk,
  type HostDiskErrorCode,
  type HostFileStat,
} from "../embedded/hostCommand";

interface Node {
  kind: HostFileStat["kind"];
  bytes: Uint8Array;
  mode: number;
  modifiedAt: number;
}

/** A disk in memory that behaves as the shell's does, for tests of its commands. */
export function memoryDisk(files: Readonly<Record<string, string | Uint8Array>> = {}): HostCommandDisk {
  const disk = new MemoryDisk();
  for (const [path, contents] of Object.entries(files)) disk.put(path, contents);
  return disk;
}

class MemoryDisk implements HostCommandDisk {
  private readonly nodes = new Map<string, Node>([["/", directory()]]);
  private clock = 1_700_000_000_000;

  constructor() {
    this.makeDirectory("/home/project");
    this.makeDirectory("/tmp");
  }

  put(path: string, contents: string | Uint8Array): void {
    this.makeDirectory(parentOf(path));
    this.nodes.set(path, this.file(contents));
  }

  private makeDirectory(path: string): void {
    for (let at = path; at !== "/"; at = parentOf(at)) if (!this.nodes.has(at)) this.nodes.set(at, directory());
  }

  private file(contents: string | Uint8Array): Node {
    const bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
    // No two files are written in the same millisecond here, whatever the machine's clock tells.
    this.clock += 1;
    return { kind: "file", bytes, mode: 0o644, modifiedAt: this.clock };
  }

  private real(path: string, depth = 0): string {
    if (depth > 20) throw fault("ELOOP", path, "too many levels of symbolic links");
    let at = "";
    for (const part of path.split("/").filter(Boolean)) {
      at += `/${part}`;
      const node = this.nodes.get(at);
      if (node?.kind !== "symlink") continue;
      const target = new TextDecoder().decode(node.bytes);
      const rest = path.slice(at.length);
      return this.real(normal(target.startsWith("/") ? target + rest : `${parentOf(at)}/${target}${rest}`), depth + 1);
    }
    return at || "/";
  }

  private parentReal(path: string): string {
    const parent = this.real(parentOf(path));
    return `${parent === "/" ? "" : parent}/${path.slice(path.lastIndexOf("/") + 1)}`;
  }

  private node(path: string): Node {
    const node = this.nodes.get(path);
    if (node !== undefined) return node;
    if (this.nodes.get(parentOf(path))?.kind === "file") throw fault("ENOTDIR", path, "not a directory");
    throw fault("ENOENT", path, "no such file or directory");
  }

  async readFile(path: string): Promise<Uint8Array> {
    const node = this.node(this.real(normal(path)));
    if (node.kind === "directory") throw fault("EISDIR", path, "illegal operation on a directory");
    return node.bytes;
  }

  async writeFile(path: string, contents: string | Uint8Array): Promise<void> {
    const place = this.real(normal(path));
    if (this.nodes.get(place)?.kind === "directory") throw fault("EISDIR", path, "illegal operation on a directory");
    if (this.node(parentOf(place)).kind !== "directory") throw fault("ENOTDIR", path, "not a directory");
    const mode = this.nodes.get(place)?.mode ?? 0o644;
    this.nodes.set(place, { ...this.file(contents), mode });
  }

  async appendFile(path: string, contents: string | Uint8Array): Promise<void> {
    const old = (await this.exists(path)) ? await this.readFile(path) : new Uint8Array();
    const more = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
    await this.writeFile(path, new Uint8Array([...old, ...more]));
  }

  async exists(path: string): Promise<boolean> {
    return this.nodes.has(this.real(normal(path)));
  }

  async stat(path: string): Promise<HostFileStat> {
    return statOf(this.node(this.real(normal(path))));
  }

  async lstat(path: string): Promise<HostFileStat> {
    return statOf(this.node(this.parentReal(normal(path))));
  }

  async readdir(path: string) {
    const place = this.real(normal(path));
    if (this.node(place).kind !== "directory") throw fault("ENOTDIR", path, "not a directory");
    const above = place === "/" ? "/" : `${place}/`;
    return [...this.nodes]
      .filter(([name]) => name !== "/" && name.startsWith(above) && !name.slice(above.length).includes("/"))
      .map(([name, node]) => ({ name: name.slice(above.length), kind: node.kind }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async mkdir(path: string, options: { readonly recursive?: boolean } = {}): Promise<void> {
    const place = this.parentOfNew(normal(path), options.recursive === true);
    const there = this.nodes.get(place);
    if (there?.kind === "directory" && options.recursive === true) return;
    if (there !== undefined) throw fault("EEXIST", path, "file already exists");
    this.nodes.set(place, directory());
  }

  private parentOfNew(path: string, isRecursive: boolean): string {
    if (isRecursive) {
      for (let at = path; at !== "/"; at = parentOf(at))
        if (this.nodes.get(at)?.kind === "file") throw fault("EEXIST", at, "file already exists");
      this.makeDirectory(path);
      return path;
    }
    if (this.node(this.real(parentOf(path))).kind !== "directory") throw fault("ENOTDIR", path, "not a directory");
    return this.parentReal(path);
  }

  async rm(path: string, options: { readonly recursive?: boolean; readonly force?: boolean } = {}): Promise<void> {
    const place = normal(path);
    const node = this.nodes.get(place);
    if (node === undefined) {
      if (options.force === true) return;
      throw fault("ENOENT", path, "no such file or directory");
    }
    const inside = [...this.nodes.keys()].filter((name) => name.startsWith(`${place}/`));
    if (inside.length > 0 && options.recursive !== true) throw fault("ENOTEMPTY", path, "directory not empty");
    for (const name of [...inside, place]) this.nodes.delete(name);
  }

  async rename(from: string, to: string): Promise<void> {
    const [old, now] = [normal(from), normal(to)];
    this.node(old);
    for (const [name, node] of new Map(this.nodes)) {
      if (name !== old && !name.startsWith(`${old}/`)) continue;
      this.nodes.delete(name);
      this.nodes.set(now + name.slice(old.length), node);
    }
  }

  async readlink(path: string): Promise<string> {
    const node = this.node(this.parentReal(normal(path)));
    if (node.kind !== "symlink") throw fault("EINVAL", path, "invalid argument");
    return new TextDecoder().decode(node.bytes);
  }

  async symlink(target: string, path: string): Promise<void> {
    this.nodes.set(this.parentReal(normal(path)), { ...this.file(target), kind: "symlink", mode: 0o777 });
  }

  async chmod(path: string, mode: number): Promise<void> {
    this.node(this.real(normal(path))).mode = mode;
  }

  statNow(path: string): HostFileStat | undefined {
    const node = this.nodes.get(normal(path));
    return node === undefined || node.kind === "symlink" ? undefined : statOf(node);
  }

  readdirNow(): undefined {
    return undefined;
  }

  readFileNow(path: string): Uint8Array | undefined {
    const node = this.nodes.get(normal(path));
    return node?.kind === "file" ? node.bytes : undefined;
  }
}

function directory(): Node {
  return { kind: "directory", bytes: new Uint8Array(), mode: 0o755, modifiedAt: 0 };
}

function statOf(node: Node): HostFileStat {
  return { kind: node.kind, sizeBytes: node.bytes.length, modifiedAt: node.modifiedAt, mode: node.mode };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function fault(code: HostDiskErrorCode, path: string, words: string): HostDiskError {
  return new HostDiskError(code, path, words);
}
