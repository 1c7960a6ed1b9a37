import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageEntries, urlEntries } from ".";
import { gzipped, shown, tarBytes } from "./tarBytes.suite";

const tarball = gzipped(
  tarBytes([
    { name: "package/package.json", text: "{}" },
    { name: "package/../../up", text: "x" },
  ]),
);
const sha512 = createHash("sha512").update(tarball).digest("base64");

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? "";
    const described = (integrity?: string) =>
      response.end(JSON.stringify({ dist: { tarball: `${url}/tarball.tgz`, integrity } }));
    if (path === "/@scope%2Fname/1.2.3" || path === "/plain/latest") return described(`sha1-x sha512-${sha512}`);
    if (path === "/wrong/latest") return described(`sha512-${"A".repeat(86)}==`);
    if (path === "/odd/latest") return response.end("{}");
    if (path === "/tarball.tgz" || path === "/download") return response.end(tarball);
    if (path.startsWith("/files/a%20b.txt"))
      return response.writeHead(200, { "Last-Modified": new Date(5_000).toUTCString() }).end("text");
    if (path === "/named")
      return response.writeHead(200, { "Content-Disposition": 'attachment; filename="n.txt"' }).end("text");
    if (path === "/climbing")
      return response.writeHead(200, { "Content-Disposition": 'attachment; filename="../x"' }).end("text");
    if (path === "/secret") return response.writeHead(403).end();
    if (path === "/fails") return response.writeHead(500).end();
    if (path === "/cut") {
      response.writeHead(200, { "Content-Length": "1000" }).write("begin");
      return setTimeout(() => response.destroy(), 50);
    }
    if (path === "/") return response.end("<html></html>");
    return response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

describe("a package of a registry", () => {
  const entries = (name: string) => shown(packageEntries({ package: name, registry: `${url}/` }));

  test("comes without the folder around it, by name and version", async () => {
    for (const name of ["plain", "@scope/name@1.2.3"]) {
      expect(await entries(name)).toEqual([
        ["package.json", "file", "{}"],
        ["../../up", "entry-refused", "“package/../../up” was left out: its path holds “..”"],
      ]);
    }
  });

  test("is refused when its name is none, a range, unknown, or not what the registry describes", async () => {
    const failures: [name: string, code: string, message: RegExp][] = [
      ["../x", "bad-request", /is no package: write name or name@version/],
      ["plain@^1.0.0", "bad-request", /is a range of versions: name one version/],
      ["missing", "not-found", /^There is no package missing in the registry\.$/],
      ["missing@1.0.0", "not-found", /^There is no package missing@1\.0\.0 in the registry\.$/],
      ["wrong", "damaged", /its hash is another/],
      ["odd", "damaged", /description of the package cannot be read/],
    ];
    for (const [name, code, message] of failures) {
      await expect(entries(name)).rejects.toMatchObject({
        name: "SourceError",
        code,
        message: expect.stringMatching(message) as string,
      });
    }
  });
});

describe("an address", () => {
  test("gives the entries of an archive, whatever it is called", async () => {
    expect(await shown(urlEntries({ url: `${url}/download` }))).toHaveLength(2);
  });

  test("gives any other file by its name", async () => {
    const names: [path: string, name: string][] = [
      ["/files/a%20b.txt?query", "a b.txt"],
      ["/named", "n.txt"],
      ["/climbing", "climbing"],
      ["/", "index.html"],
    ];
    for (const [path, name] of names) {
      expect((await shown(urlEntries({ url: url + path })))[0]).toEqual([
        name,
        "file",
        path === "/" ? "<html></html>" : "text",
      ]);
    }
    for await (const entry of urlEntries({ url: `${url}/files/a%20b.txt` })) {
      expect(entry).toMatchObject({ sizeBytes: 4, modifiedAt: 5_000 });
    }
  });

  test("says why nothing came", async () => {
    const failures: [address: string, code: string][] = [
      ["ftp://host/x", "bad-request"],
      ["nonsense", "bad-request"],
      [`${url}/missing`, "not-found"],
      [`${url}/secret`, "refused"],
      [`${url}/fails`, "failed"],
      [`${url}/cut`, "damaged"],
      ["http://127.0.0.1:1/", "no-answer"],
    ];
    for (const [address, code] of failures) {
      await expect(shown(urlEntries({ url: address }))).rejects.toMatchObject({
        name: "SourceError",
        code,
        source: address,
      });
    }
    const signal = AbortSignal.abort();
    await expect(shown(urlEntries({ url, signal }))).rejects.toMatchObject({ name: "AbortError" });
  });
});
