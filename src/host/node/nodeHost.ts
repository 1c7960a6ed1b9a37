import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import type { HostCommandContext } from "../embedded/hostCommand";
import type { DiskImage } from "./diskImage";

export interface NodeHostState {
  readonly image: DiskImage;
  readonly context: HostCommandContext;
  readonly argv: readonly string[];
  readonly startedAt: number;
  /** Set by `process.exit`. */
  exitCode: number | undefined;
  write(fd: number, text: string): void;
}

/** What the library inside QuickJS asks for, as functions of the engine. A refusal of a file is its code as text. */
export function nodeHost(vm: QuickJSContext, state: NodeHostState): QuickJSHandle {
  const host = vm.newObject();
  const add = (name: string, run: (...args: QuickJSHandle[]) => QuickJSHandle) => {
    vm.setProp(
      host,
      name,
      vm.newFunction(name, (...args) => run(...args)),
    );
  };
  const text = (handle: QuickJSHandle | undefined) => (handle === undefined ? "" : vm.getString(handle));
  const isTrue = (handle: QuickJSHandle | undefined) => handle !== undefined && vm.dump(handle) === true;
  const bytes = (handle: QuickJSHandle | undefined) =>
    handle === undefined ? new Uint8Array() : vm.getArrayBuffer(handle).value.slice();
  const buffer = (value: Uint8Array) => vm.newArrayBuffer(Uint8Array.from(value).buffer);
  const { context, image, startedAt } = state;

  add("facts", () => vm.newString(JSON.stringify({ cwd: context.cwd, argv: state.argv, env: context.env })));
  add("now", () => vm.newNumber(performance.now() - startedAt));
  add("encode", (value) => buffer(new TextEncoder().encode(text(value))));
  add("decode", (value) => vm.newString(new TextDecoder().decode(bytes(value))));
  add("stdin", () => buffer(context.stdin));
  add("write", (fd, value) => (state.write(vm.getNumber(fd ?? vm.undefined), text(value)), vm.undefined));
  add("exit", (code) => {
    state.exitCode = vm.getNumber(code ?? vm.undefined);
    return vm.undefined;
  });
  add("compile", (source, place) => {
    const code = text(source).replace(/^#!.*/, "");
    return vm.unwrapResult(
      vm.evalCode(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, text(place)),
    );
  });
  add("read", (place) => {
    const path = text(place);
    const held = image.nodes.get(path)?.bytes;
    return held === undefined ? vm.newString(missingCode(image, path)) : buffer(held);
  });
  add("stat", (place) => {
    const node = image.nodes.get(text(place));
    if (node === undefined) return vm.undefined;
    const kind = node.bytes === undefined ? "directory" : "file";
    const mode = kind === "directory" ? 0o40755 : 0o100644;
    return vm.newString(JSON.stringify({ kind, size: node.bytes?.length ?? 0, modifiedAt: node.modifiedAt, mode }));
  });
  add("names", (place) => {
    const path = text(place);
    if (image.isDirectory(path)) return vm.newString(JSON.stringify(image.names(path)));
    return vm.newString(image.nodes.has(path) ? "ENOTDIR" : "ENOENT");
  });
  add("writeFile", (place, data, isAppended) =>
    vm.newString(writeFile(image, text(place), bytes(data), isTrue(isAppended))),
  );
  add("mkdir", (place, isDeep) => vm.newString(makeDirectory(image, text(place), isTrue(isDeep))));
  add("rm", (place, isDeep, isForced, kind) =>
    vm.newString(remove(image, text(place), { isDeep: isTrue(isDeep), isForced: isTrue(isForced), kind: text(kind) })),
  );
  add("rename", (from, to) => vm.newString(rename(image, text(from), text(to))));
  return host;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

function missingCode(image: DiskImage, path: string): string {
  if (image.isDirectory(path)) return "EISDIR";
  const parent = image.nodes.get(parentOf(path));
  return parent?.bytes === undefined ? "ENOENT" : "ENOTDIR";
}

function writeFile(image: DiskImage, path: string, bytes: Uint8Array, isAppended: boolean): string {
  if (path === "/dev/null") return "";
  if (image.isDirectory(path)) return "EISDIR";
  if (!image.isDirectory(parentOf(path))) return image.nodes.has(parentOf(path)) ? "ENOTDIR" : "ENOENT";
  const old = isAppended ? (image.nodes.get(path)?.bytes ?? new Uint8Array()) : new Uint8Array();
  const whole = new Uint8Array(old.length + bytes.length);
  whole.set(old);
  whole.set(bytes, old.length);
  image.write(path, whole);
  return "";
}

function makeDirectory(image: DiskImage, path: string, isDeep: boolean): string {
  if (image.nodes.has(path)) return isDeep && image.isDirectory(path) ? "" : "EEXIST";
  if (!isDeep && !image.isDirectory(parentOf(path))) return "ENOENT";
  for (let at = parentOf(path); at !== "/"; at = parentOf(at))
    if (image.nodes.get(at)?.bytes !== undefined) return "ENOTDIR";
  image.makeDirectory(path);
  return "";
}

interface Removal {
  readonly isDeep: boolean;
  readonly isForced: boolean;
  /** What must be there, `""` where it may be either. */
  readonly kind: string;
}

function remove(image: DiskImage, path: string, { isDeep, isForced, kind }: Removal): string {
  if (!image.nodes.has(path)) return isForced ? "" : "ENOENT";
  if (image.isDirectory(path)) {
    if (kind === "file" || (kind === "" && !isDeep)) return "EISDIR";
    if (!isDeep && image.names(path).length > 0) return "ENOTEMPTY";
  } else if (kind === "directory") return "ENOTDIR";
  image.remove(path);
  return "";
}

function rename(image: DiskImage, from: string, to: string): string {
  if (!image.nodes.has(from) || !image.isDirectory(parentOf(to))) return "ENOENT";
  if (from === to) return "";
  if (image.isDirectory(to) && !image.isDirectory(from)) return "EISDIR";
  const moved = [from, ...image.below(from)].map((path) => ({
    path: to + path.slice(from.length),
    node: image.nodes.get(path),
  }));
  image.remove(from);
  if (image.nodes.has(to)) image.remove(to);
  for (const { path, node } of moved) {
    if (node?.bytes === undefined) image.makeDirectory(path);
    else image.write(path, node.bytes);
  }
  return "";
}
