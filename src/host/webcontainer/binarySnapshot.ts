import { joinFsPath, type SnapshotTree } from "../../fs";

/** Bytes a piece of the snapshot grows by at least. */
const PIECE_BYTES = 64 * 1024;

/**
 * A tree as WebContainer's binary snapshot: MessagePack of `{ d: { name: { f: { c: bytes } } } }`, what the vendor's own
 * `@webcontainer/snapshot` makes of a directory.
 * @throws UnavailableError when contents cannot be read
 */
export async function binarySnapshot(tree: SnapshotTree): Promise<Uint8Array> {
  const writer = new PackWriter();
  writer.map(1);
  writer.text("d");
  await writeChildren(writer, tree, "/");
  return writer.bytes();
}

async function writeChildren(writer: PackWriter, tree: SnapshotTree, directory: string): Promise<void> {
  const children = tree.children(directory);
  writer.map(children.length);
  for (const { name, entry } of children) {
    writer.text(name);
    writer.map(1);
    if (entry.kind === "file") {
      writer.text("f");
      writer.map(1);
      writer.text("c");
      writer.binary(await entry.bytes());
    } else {
      writer.text("d");
      await writeChildren(writer, tree, joinFsPath(directory, name));
    }
  }
}

/** As much of MessagePack as a snapshot needs. */
class PackWriter {
  readonly #encoder = new TextEncoder();
  #buffer = new Uint8Array(PIECE_BYTES);
  #length = 0;

  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  map(size: number): void {
    if (size < 16) this.#header(0x80 | size, 0, 0);
    else if (size < 0x1_0000) this.#header(0xde, size, 2);
    else this.#header(0xdf, size, 4);
  }

  text(value: string): void {
    const bytes = this.#encoder.encode(value);
    if (bytes.length < 32) this.#header(0xa0 | bytes.length, 0, 0);
    else if (bytes.length < 0x100) this.#header(0xd9, bytes.length, 1);
    else if (bytes.length < 0x1_0000) this.#header(0xda, bytes.length, 2);
    else this.#header(0xdb, bytes.length, 4);
    this.#append(bytes);
  }

  binary(bytes: Uint8Array): void {
    if (bytes.length < 0x100) this.#header(0xc4, bytes.length, 1);
    else if (bytes.length < 0x1_0000) this.#header(0xc5, bytes.length, 2);
    else this.#header(0xc6, bytes.length, 4);
    this.#append(bytes);
  }

  #header(first: number, size: number, sizeBytes: number): void {
    const bytes = new Uint8Array(1 + sizeBytes);
    bytes[0] = first;
    for (let at = 0; at < sizeBytes; at++) bytes[1 + at] = (size >>> (8 * (sizeBytes - 1 - at))) & 0xff;
    this.#append(bytes);
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = needed;
  }
}
