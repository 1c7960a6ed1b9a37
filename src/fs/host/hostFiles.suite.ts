import { describe, expect, it } from "vitest";
import type { FileSystem } from "../fileSystem";
import type { HostFilesApi } from "./hostFilesApi";
import { hostFs } from "./hostFs";

/** The tree with these files written into it. */
export async function filledTree(
  tree: FileSystem,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<FileSystem> {
  for (const [path, contents] of Object.entries(files)) await tree.write(path, contents);
  return tree;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (found: Uint8Array | undefined) => (found === undefined ? undefined : new TextDecoder().decode(found));

/** What every store of blobs must do; `stores` makes a place of its own in one store, as two clients see it. */
export function describeHostFiles(name: string, stores: () => Promise<readonly [HostFilesApi, HostFilesApi]>): void {
  describe(`${name} as a store of blobs`, () => {
    it("gives back bytes with the etag their write told", async () => {
      const [one, two] = await stores();
      const written = await one.write("/d/e/f", bytes("1"));
      const read = await two.read("/d/e/f");
      expect([text(read?.bytes), written]).toEqual(["1", { kind: "written", etag: read?.etag }]);
      expect(await two.stat("/d/e/f")).toMatchObject({ path: "/d/e/f", kind: "file", etag: read?.etag, sizeBytes: 1 });
      expect(await two.stat("/d/e")).toMatchObject({ path: "/d/e", kind: "directory" });
      for (const path of ["/d/e", "/d/x", "/d/e/f/g"]) expect(await two.read(path)).toBeUndefined();
      for (const path of ["/d/x", "/d/e/f/g"]) expect(await two.stat(path)).toBeUndefined();
    });

    it("keeps every condition", async () => {
      const [one, two] = await stores();
      expect(await one.write("/f", bytes("0"), { ifMatch: '"none"' })).toEqual({ kind: "changed" });
      const first = await one.write("/f", bytes("1"), { ifNoneMatch: "*" });
      expect(await two.write("/f", bytes("2"), { ifNoneMatch: "*" })).toEqual({ kind: "changed" });
      if (first.kind !== "written" || first.etag === undefined) throw new Error("not written");
      expect((await two.write("/f", bytes("22"), { ifMatch: first.etag })).kind).toBe("written");
      expect(await one.write("/f", bytes("3"), { ifMatch: first.etag })).toEqual({ kind: "changed" });
      expect(await one.delete("/f", first.etag)).toBe("changed");
      expect(text((await one.read("/f"))?.bytes)).toBe("22");
      expect(await one.delete("/f", (await one.stat("/f"))?.etag)).toBe("deleted");
      expect(await one.read("/f")).toBeUndefined();
    });

    it("lets exactly one of many writers win", async () => {
      const clients = await stores();
      for (let round = 0; round < 5; round++) {
        const path = `/race${round}`;
        const start = await clients[0].write(path, bytes("start"));
        const condition = { ifMatch: (start.kind === "written" && start.etag) || "" };
        const outcomes = await Promise.all(
          Array.from({ length: 12 }, (_, index) =>
            clients[index % 2 ? 1 : 0].write(path, bytes(`${index}`), condition),
          ),
        );
        const winners = outcomes.flatMap(({ kind }, index) => (kind === "written" ? [String(index)] : []));
        expect(winners).toEqual([text((await clients[0].read(path))?.bytes)]);
      }
    });

    it("loses no update of two writers that each try until they get through", async () => {
      const clients = await stores();
      await clients[0].write("/count", bytes("0"));
      const trees = clients.map((client) => hostFs(client, "/", { asksFirst: true }));
      await Promise.all(
        trees.map(async (tree) => {
          for (let left = 15; left > 0;) {
            const next = String(Number(await tree.read("/count")) + 1);
            const done = await tree.write("/count", next).then(
              () => true,
              (error: { code?: string }) => {
                if (error.code !== "conflict") throw error;
                return false;
              },
            );
            if (done) left--;
          }
        }),
      );
      expect(await trees[0]?.read("/count")).toBe("30");
    });
  });
}
