import { describe, expect, inject, it } from "vitest";
import { pathsOf } from "../suiteCase.suite";
import type { CorsServerUrl } from "./corsServer.suite";
import { describeHostFiles } from "./hostFiles.suite";
import { hostFs } from "./hostFs";
import { openSharedFs } from "./openSharedFs";
import { webdavFiles } from "./webdavFiles";

const url: CorsServerUrl = inject("webdavUrl");

describe.skipIf(url === "")("a page and a WebDAV server of another address", () => {
  describeHostFiles("lighttpd from a page", async () => {
    const place = `${url}/open/${crypto.randomUUID()}`;
    await fetch(place, { method: "MKCOL" });
    return [webdavFiles({ url: place }), webdavFiles({ url: place })];
  });

  it("let a file take the place of a collection that holds none", async () => {
    const tree = hostFs(webdavFiles({ url: `${url}/open`, authorization: () => "Basic eA==" }), "/places");
    await tree.write("/d/e/f", "x");
    await tree.delete("/d/e/f");
    await tree.write("/d", "now a file");
    expect([await tree.read("/d"), await pathsOf(tree.list())]).toEqual(["now a file", ["/d"]]);
    await tree.write("/g/h", "x");
    await expect(tree.read("/g")).rejects.toMatchObject({ code: "not-a-file", path: "/g" });
    await expect(tree.write("/g", "x")).rejects.toMatchObject({ code: "not-a-file", path: "/g" });
  });

  it("work together when the server lets pages use it", async () => {
    const files = webdavFiles({ url: `${url}/open`, authorization: () => "Basic eA==" });
    const [one, two] = [await openSharedFs(files, { scope: "/two" }), await openSharedFs(files, { scope: "/two" })];
    await one.tree.write("/d e/f", "1");
    await two.tree.read("/d e/f");
    await one.tree.write("/d e/f", "22");
    await expect(two.tree.write("/d e/f", "3")).rejects.toMatchObject({ code: "conflict", path: "/d e/f" });
    expect([await two.tree.read("/d e/f"), await pathsOf(two.tree.list())]).toEqual(["22", ["/d e", "/d e/f"]]);
  });

  it("do not when it keeps its etags from pages, and the page says how to mend it", async () => {
    await expect(openSharedFs(webdavFiles({ url: `${url}/hidden` }))).rejects.toMatchObject({
      name: "UnsafeStoreError",
      reason: expect.stringContaining("Access-Control-Expose-Headers: ETag") as string,
    });
    const { tree, readOnlyReason } = await openSharedFs(webdavFiles({ url: `${url}/hidden` }), {
      otherwise: "read-only",
    });
    expect([await pathsOf(tree.list()), readOnlyReason?.includes("ETag")]).toEqual([[], true]);
  });

  it("do not when it is for no page, and the page says what the server must allow", async () => {
    await expect(openSharedFs(webdavFiles({ url: `${url}/closed` }))).rejects.toMatchObject({
      code: "unavailable",
      reason: expect.stringMatching(/gave no answer.*\(CORS\).*Access-Control-Allow-Methods: GET, PUT/) as string,
    });
  });
});
