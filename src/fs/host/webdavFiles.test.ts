import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findLighttpd, findServer } from "../../../scripts/ensureLighttpd.mjs";
import { describeFileSystem } from "../fileSystem.suite";
import { entriesOf, expectError, pathsOf } from "../suiteCase.suite";
import { freePort, listening } from "./freePort.suite";
import { describeHostFiles, filledTree } from "./hostFiles.suite";
import { hostFs } from "./hostFs";
import { openSharedFs } from "./openSharedFs";
import { webdavFiles } from "./webdavFiles";
import { lighttpdServer, nginxServer, type WebServer } from "./webServer.suite";

// Many requests a test, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 });

const lighttpd = findLighttpd();
const nginx = findServer("nginx");
if (lighttpd === undefined)
  console.log("Without lighttpd and its mod_webdav the tests against a real WebDAV server are skipped.");
if (nginx === undefined)
  console.log("Without nginx its part of the tests of servers that ignore conditions is skipped.");

describe.skipIf(lighttpd === undefined)("WebDAV against lighttpd", () => {
  let server: WebServer;
  let places = 0;
  beforeAll(async () => void (server = await lighttpdServer(lighttpd ?? "")));
  afterAll(() => server.stop());
  const newPlace = () => `/place ${places++}`;

  describeHostFiles("lighttpd", async () => {
    const url = `${server.url}${newPlace()}`;
    mkdirSync(join(server.directory, decodeURIComponent(new URL(url).pathname)));
    return [webdavFiles({ url }), webdavFiles({ url: `${url}/` })];
  });

  describeFileSystem(
    "hostFs over lighttpd",
    (files) => filledTree(hostFs(webdavFiles({ url: server.url }), newPlace(), { asksFirst: true }), files),
    {
      skips: {
        edit: "a store of blobs has no directories",
        snapshot: "a store is read file by file",
        search: "a store of blobs has no index",
        "long names": "lighttpd adds to a name while it stores the file",
      },
    },
  );

  it("is safe for shared writing, and the try leaves nothing behind", async () => {
    const place = newPlace();
    mkdirSync(join(server.directory, place));
    const { tree, readOnlyReason } = await openSharedFs(webdavFiles({ url: server.url }), { scope: place });
    expect([readOnlyReason, readdirSync(join(server.directory, place))]).toEqual([undefined, []]);
    await tree.write("/a #1?/50%.txt", "x");
    expect([await pathsOf(tree.list()), existsSync(join(server.directory, place, "a #1?/50%.txt"))]).toEqual([
      ["/a #1?", "/a #1?/50%.txt"],
      true,
    ]);
  });

  it("shows directories by their files and lets a file take the place of an empty one", async () => {
    const place = newPlace();
    mkdirSync(join(server.directory, place, "empty/deep"), { recursive: true });
    mkdirSync(join(server.directory, place, "full/deep"), { recursive: true });
    writeFileSync(join(server.directory, place, "full/deep/f"), "x");
    const tree = hostFs(webdavFiles({ url: server.url }), place);
    expect(await pathsOf(tree.list())).toEqual(["/full", "/full/deep", "/full/deep/f"]);
    expect([(await tree.stat("/empty")).kind, (await tree.stat("/full")).kind]).toEqual(["missing", "directory"]);
    await tree.write("/empty", "now a file");
    await expectError(tree.write("/full", ""), "not-a-file", "not a file: /full", "/full");
    expect(readdirSync(join(server.directory, place))).toEqual(["empty", "full"]);
  });

  it("tells two writers apart by both etags", async () => {
    const place = newPlace();
    const files = webdavFiles({ url: server.url });
    const [one, two] = [hostFs(files, place, { asksFirst: true }), hostFs(files, place, { asksFirst: true })];
    await one.write("/f", "1");
    const first = (await files.stat(`${place}/f`))?.etag;
    await two.read("/f");
    await one.write("/f", "22");
    const error = await two.write("/f", "3").catch((reason: unknown) => reason);
    const second = (await files.stat(`${place}/f`))?.etag;
    expect(error).toMatchObject({ code: "conflict", path: "/f", expectedHash: first, actualHash: second });
    expect([await two.read("/f"), first === second]).toEqual(["22", false]);
  });
});

describe.skipIf(lighttpd === undefined)("a lighttpd that tells no etags with reads", () => {
  it("is refused, with what its keeper can do", async () => {
    const server = await lighttpdServer(lighttpd ?? "", 'static-file.etags = "disable"');
    try {
      await expect(openSharedFs(webdavFiles({ url: server.url }))).rejects.toMatchObject({
        code: "unavailable",
        reason: expect.stringContaining("not safe for shared writing") as string,
      });
    } finally {
      await server.stop();
    }
  });
});

describe.skipIf(nginx === undefined)("nginx, whose WebDAV cannot list", () => {
  it("is refused for what it is", async () => {
    const server = await nginxServer(nginx ?? "");
    try {
      await expect(openSharedFs(webdavFiles({ url: server.url }))).rejects.toMatchObject({
        code: "unavailable",
        reason: "The server does not speak WebDAV at this address: it cannot list files.",
      });
      const files = webdavFiles({ url: server.url });
      const ignored = await files.write("/f", new Uint8Array(), { ifMatch: '"not this"' });
      expect(ignored.kind).toBe("written");
    } finally {
      await server.stop();
    }
  });
});

/** A WebDAV server with one directory, as careless as the case needs it. */
async function carelessServer(etag: (text: string) => string | undefined, keepsConditions = false) {
  const stored = new Map<string, string>();
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "/";
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const text = stored.get(path);
    const tag = text === undefined ? undefined : etag(text);
    const expected = request.headers["if-match"];
    if (keepsConditions && expected !== undefined && expected !== tag) return response.writeHead(412).end();
    if (keepsConditions && request.headers["if-none-match"] && text !== undefined) return response.writeHead(412).end();
    const tagHeader = (of: string): Record<string, string> => (etag(of) ? { ETag: etag(of) as string } : {});
    switch (request.method) {
      case "PROPFIND":
        if (path !== "/" && text === undefined) return response.writeHead(404).end();
        return response.writeHead(207).end(
          `<D:multistatus xmlns:D="DAV:">${["/", ...stored.keys()]
            .filter((name) => path === "/" || name === path)
            .map(
              (name) =>
                `<D:response><D:href>${name}</D:href><D:propstat><D:prop><D:resourcetype>${
                  name === "/" ? "<D:collection/>" : ""
                }</D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`,
            )
            .join("")}</D:multistatus>`,
        );
      case "PUT":
        stored.set(path, body);
        return response.writeHead(201, tagHeader(body)).end();
      case "DELETE":
        return response.writeHead(stored.delete(path) ? 204 : 404).end();
      default:
        return text === undefined ? response.writeHead(404).end() : response.writeHead(200, tagHeader(text)).end(text);
    }
  };
  const server = createServer((request, response) => void respond(request, response));
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}`, stored, stop: () => new Promise((resolve) => server.close(resolve)) };
}

describe("a server that does not keep writers apart", () => {
  it("is refused when it ignores If-Match, and nothing of the try stays", async () => {
    const server = await carelessServer((text) => `"${text}"`);
    await expect(openSharedFs(webdavFiles(server))).rejects.toMatchObject({
      name: "UnsafeStoreError",
      code: "unavailable",
      reason:
        "This store is not safe for shared writing: it overwrites a file although its version is another (it should answer If-Match with 412).",
    });
    expect([...server.stored]).toEqual([]);
    await server.stop();
  });

  it("is opened for reading only when that was asked for", async () => {
    const server = await carelessServer((text) => `"${text}"`);
    server.stored.set("/f", "x");
    const { tree, readOnlyReason } = await openSharedFs(webdavFiles(server), { otherwise: "read-only" });
    expect([await pathsOf(tree.list()), await tree.read("/f")]).toEqual([["/f"], "x"]);
    expect(readOnlyReason).toContain("not safe for shared writing");
    await expectError(tree.write("/f", "y"), "read-only-mount", "read-only mount: /f", "/f");
    await server.stop();
  });

  it("is refused when its etags are weak or kept from the page", async () => {
    const weak = await carelessServer((text) => `W/"${text}"`, true);
    await expect(openSharedFs(webdavFiles(weak))).rejects.toMatchObject({
      reason: expect.stringContaining("weak etags") as string,
    });
    const hidden = await carelessServer(() => undefined, true);
    await expect(openSharedFs(webdavFiles(hidden))).rejects.toMatchObject({
      reason: expect.stringMatching(
        /its answer to a write \(PUT\) or to the read after it \(GET\) has no ETag\. .*Access-Control-Expose-Headers: ETag\. .*mimetype\.assign/,
      ) as string,
    });
    for (const server of [weak, hidden]) await server.stop();
  });
});

describe("an address where no WebDAV folder is", () => {
  const asked = async (answer: (response: ServerResponse) => void) => {
    const methods: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      methods.push(request.method);
      answer(response);
    });
    const files = webdavFiles({ url: `http://127.0.0.1:${await listening(server)}/x` });
    const error: unknown = await openSharedFs(files, { otherwise: "read-only" }).catch((reason: unknown) => reason);
    server.close();
    return { error, methods };
  };

  it("is no empty folder, and nothing is written there to try it out", async () => {
    expect(await asked((response) => response.writeHead(404).end())).toEqual({
      error: expect.objectContaining({
        code: "unavailable",
        reason:
          "The server answered 404: it has no WebDAV folder at this address. Check the address, its path above all.",
      }) as unknown,
      methods: ["PROPFIND"],
    });
  });

  it("is said where a file is", async () => {
    const file =
      '<D:multistatus xmlns:D="DAV:"><D:response><D:href>/x</D:href><D:propstat><D:prop><D:resourcetype/></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>';
    const { error, methods } = await asked((response) => response.writeHead(207).end(file));
    expect(error).toMatchObject({
      reason: "There is a file at this address: give the address of the folder it lies in.",
    });
    expect(methods).toEqual(["PROPFIND"]);
  });
});

describe("a server that is not there or lets nobody in", () => {
  it("is told with what to do about it", async () => {
    const port = await freePort();
    const { tree } = { tree: hostFs(webdavFiles({ url: `http://127.0.0.1:${port}/dav` })) };
    const error = await entriesOf(tree.list()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "unavailable", path: "/", message: "unavailable: /" });
    expect((error as { reason: string }).reason).toBe(
      `127.0.0.1:${port} gave no answer: it is not reachable, or it does not let this page use it (CORS). For pages of another address the server must answer OPTIONS with Access-Control-Allow-Origin, Access-Control-Allow-Methods: GET, PUT, DELETE, PROPFIND, MKCOL, MOVE, Access-Control-Allow-Headers: authorization, content-type, depth, destination, if-match, if-none-match, overwrite, and send Access-Control-Expose-Headers: ETag.`,
    );
  });

  it("is asked with the credentials, and its refusal is a matter of permission", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    const url = `http://127.0.0.1:${await listening(server)}`;
    const tree = hostFs(webdavFiles({ url, authorization: () => "Basic eA==" }), "/scope");
    await expect(tree.read("/f")).rejects.toMatchObject({
      code: "permission",
      path: "/f",
      reason: "The server answered 401.",
    });
    expect(seen).toEqual(["Basic eA==", "Basic eA=="]);
    server.close();
  });
});
