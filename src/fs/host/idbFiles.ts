import { sha256Hex } from "../../base";
import { DamagedRecordError } from "../idb/damagedRecordError";
import type { ProjectDatabase } from "../idb/projectDatabase";
import type { RecordKey, RecordReader, RecordWriter } from "../idb/records";
import { ancestorPaths } from "../path";
import { NotADirectoryError, NotAFileError } from "../pathError";
import type { HostEntry, HostFilesApi } from "./hostFilesApi";

/** What is kept of a file beside its bytes, so that a listing reads no contents. */
interface StoredHostFile {
  readonly etag: string;
  readonly sizeBytes: number;
  readonly modifiedAt: number;
}

const infoKey = (store: string, path: string): RecordKey => ["f", store, path];
const bytesKey = (store: string, path: string): RecordKey => ["fb", store, path];

/**
 * Blobs in a project's database, under the name of a store: the one implementation whose every condition is checked in the
 * transaction that writes, across tabs too. An etag is the SHA-256 of the bytes.
 */
export function idbFiles(database: ProjectDatabase, store: string, now: () => number = Date.now): HostFilesApi {
  const { records } = database;
  const infoOf = async (reader: RecordReader, path: string) =>
    infoFromRecord(await reader.get(infoKey(store, path)), path);
  return {
    list: (directory) => records.read((reader) => childrenOf(reader, store, directory)),
    stat: (path) =>
      records.read(async (reader) => {
        const info = await infoOf(reader, path);
        if (info !== undefined) return { path, kind: "file", ...info };
        return (await hasBelow(reader, store, path)) ? { path, kind: "directory" } : undefined;
      }),
    read: async (path) => {
      const [info, bytes] = await records.read((reader) =>
        Promise.all([infoOf(reader, path), reader.get(bytesKey(store, path))]),
      );
      if (info === undefined) return undefined;
      const isWhole = bytes instanceof Uint8Array && (await sha256Hex(bytes)) === info.etag;
      if (!isWhole) throw new DamagedRecordError("the contents of a file", path);
      return { bytes: bytes.slice(), etag: info.etag };
    },
    write: async (path, bytes, condition) => {
      // Before the transaction opens: it would not wait.
      const info: StoredHostFile = { etag: await sha256Hex(bytes), sizeBytes: bytes.length, modifiedAt: now() };
      return records.write(async (writer) => {
        const there = await infoOf(writer, path);
        const expected = condition === undefined || "ifNoneMatch" in condition ? undefined : condition.ifMatch;
        if (condition !== undefined && there?.etag !== expected) return { kind: "changed" };
        if (there === undefined) await assertPlace(writer, store, path);
        writer.put(infoKey(store, path), info);
        writer.put(bytesKey(store, path), bytes);
        return { kind: "written", etag: info.etag };
      });
    },
    delete: (path, ifMatch) =>
      records.write(async (writer) => {
        const there = await infoOf(writer, path);
        if (there === undefined) return "missing";
        if (ifMatch !== undefined && there.etag !== ifMatch) return "changed";
        writer.delete(infoKey(store, path));
        writer.delete(bytesKey(store, path));
        return "deleted";
      }),
  };
}

/** @throws DamagedRecordError */
function infoFromRecord(record: unknown, path: string): StoredHostFile | undefined {
  if (record === undefined) return undefined;
  if (!isInfo(record)) throw new DamagedRecordError("what is known of a file", path);
  return record;
}

function isInfo(record: unknown): record is StoredHostFile {
  const { etag, modifiedAt, sizeBytes } = (record ?? {}) as Partial<StoredHostFile>;
  return typeof etag === "string" && typeof sizeBytes === "number" && typeof modifiedAt === "number";
}

/** A file is listed whatever became of what is known of it: who reads it is told. */
function listedInfo(record: unknown): StoredHostFile {
  return isInfo(record) ? record : { etag: "damaged", sizeBytes: 0, modifiedAt: 0 };
}

/** @throws NotAFileError, NotADirectoryError */
async function assertPlace(writer: RecordWriter, store: string, path: string): Promise<void> {
  if (await hasBelow(writer, store, path)) throw new NotAFileError(path);
  const above = await Promise.all(ancestorPaths(path).map((ancestor) => writer.get(infoKey(store, ancestor))));
  if (above.some((info) => info !== undefined)) throw new NotADirectoryError(path);
}

async function hasBelow(reader: RecordReader, store: string, directory: string): Promise<boolean> {
  const prefix = directory === "/" ? "/" : `${directory}/`;
  const [first] = await reader.keys({ prefix: ["f", store], from: prefix, limit: 1 });
  return String(first?.[2] ?? "").startsWith(prefix);
}

const PAGE = 256;

/** Reads on from child to child: what lies deeper below a directory is passed over. */
async function childrenOf(reader: RecordReader, store: string, directory: string): Promise<HostEntry[]> {
  const prefix = directory === "/" ? "/" : `${directory}/`;
  const children: HostEntry[] = [];
  let from = prefix;
  for (;;) {
    const page = await reader.entries({ prefix: ["f", store], from, limit: PAGE });
    for (const [key, value] of page) {
      const path = String(key[2]);
      if (path < from) continue;
      if (!path.startsWith(prefix)) return children;
      const slash = path.indexOf("/", prefix.length);
      if (slash < 0) children.push({ path, kind: "file", ...listedInfo(value) });
      else children.push({ path: path.slice(0, slash), kind: "directory" });
      // NUL is in no name, so this comes right after the path itself, and `0` right after all below a directory.
      from = slash < 0 ? `${path}\0` : `${path.slice(0, slash)}0`;
    }
    if (page.length < PAGE) return children;
  }
}
