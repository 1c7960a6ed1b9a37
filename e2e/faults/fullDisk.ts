import { QuotaError } from "../../src/fs";
import { filesOf, type WorkPlace } from "./workload";

const KIB = 1024;

/** What a disk that is full to the last does. */
export interface FullDisk {
  readonly written: number;
  /** What the first write that found no room said. */
  readonly refusal: string;
  /** Files that are there and whole, of those that were acknowledged. */
  readonly whole: number;
  /** Deletions that were refused. */
  readonly refusedDeletions: readonly string[];
}

/** Writes until nothing more goes, however small, and then deletes a file, a session and a project. */
export async function fullDisk({ catalog, disk, store }: WorkPlace): Promise<FullDisk> {
  const other = await catalog.create("other");
  const record = { id: "s", name: "s", createdAt: 1, updatedAt: 1, eventCount: 0, status: "", preview: "" };
  await store.createSession({ ...record, origin: "live" });
  const sizes: number[] = [];
  let refusal = "";
  for (const size of [512 * KIB, 64 * KIB, 8 * KIB, KIB, 100]) {
    for (let full = false; !full;) {
      const path = `/${sizes.length}`;
      try {
        await disk.write(path, chance(size));
        sizes.push(size);
      } catch (error) {
        if (!(error instanceof QuotaError)) throw error;
        refusal ||= `${error.message} at ${path}`;
        full = true;
      }
    }
  }
  let whole = 0;
  for (const path of await filesOf(disk)) {
    const bytes = await disk.read(path);
    if (bytes instanceof Uint8Array && bytes.length === sizes[Number(path.slice(1))]) whole++;
  }
  const refusedDeletions: string[] = [];
  const deletions = [
    ["a file", () => disk.delete("/0")],
    ["a session", () => store.deleteSession("s")],
    ["a project", () => catalog.delete(other.id)],
    ["another file", () => disk.delete("/1")],
  ] as const;
  for (const [what, remove] of deletions) {
    await remove().catch((error: unknown) => refusedDeletions.push(`${what}: ${String(error)}`));
  }
  return { written: sizes.length, refusal, whole, refusedDeletions };
}

/** Bytes no store makes smaller, and no reader takes for text. */
function chance(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 1; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}
