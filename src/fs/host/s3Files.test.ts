import { AwsV4Signer } from "aws4fetch";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { describeFileSystem } from "../fileSystem.suite";
import { entriesOf, pathsOf } from "../suiteCase.suite";
import { describeHostFiles, filledTree } from "./hostFiles.suite";
import { mirrorFs } from "../mirror/mirrorFs";
import { hostFs } from "./hostFs";
import { hostSource } from "./hostSource";
import { openSharedFs } from "./openSharedFs";
import { s3Files, type S3Options } from "./s3Files";
import { localFetch, s3Server, type S3Server } from "./s3Server.suite";
import { signatureProblem } from "./signatureV4.suite";

// Many requests a test, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 });

/** The example credentials of the published test vectors. */
const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** "Examples: Signature Calculations" of the documentation of Amazon S3. */
const vectors: { method: string; url: string; headers: Record<string, string>; body?: string; signature: string }[] = [
  {
    method: "GET",
    url: "https://examplebucket.s3.amazonaws.com/test.txt",
    headers: { Range: "bytes=0-9", "x-amz-content-sha256": EMPTY },
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  {
    method: "PUT",
    url: "https://examplebucket.s3.amazonaws.com/test%24file.text",
    headers: {
      Date: "Fri, 24 May 2013 00:00:00 GMT",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
      "x-amz-content-sha256": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
    },
    body: "Welcome to Amazon S3.",
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  {
    method: "GET",
    url: "https://examplebucket.s3.amazonaws.com/?lifecycle",
    headers: { "x-amz-content-sha256": EMPTY },
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  {
    method: "GET",
    url: "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J",
    headers: { "x-amz-content-sha256": EMPTY },
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
];

describe("signatures", () => {
  for (const { method, url, headers, body, signature } of vectors) {
    it(`are those of the published example: ${method} ${new URL(url).pathname}${new URL(url).search}`, async () => {
      const signed = await new AwsV4Signer({
        method,
        url,
        headers,
        ...(body !== undefined && { body }),
        ...credentials,
        service: "s3",
        region: "us-east-1",
        datetime: "20130524T000000Z",
        allHeaders: true,
      }).sign();
      expect(signed.headers.get("Authorization")).toMatch(new RegExp(`Signature=${signature}$`));
      // The test server's own idea of them is held to the same examples.
      const { pathname: path, search, host } = new URL(url);
      const all = { ...Object.fromEntries(signed.headers), host };
      const bytes = new TextEncoder().encode(body ?? "");
      expect(signatureProblem({ method, path, search, headers: all }, credentials, bytes)).toBeUndefined();
      const forged = { ...all, "x-amz-date": "20130524T000001Z" };
      expect(signatureProblem({ method, path, search, headers: forged }, credentials)).toBe("SignatureDoesNotMatch");
    });
  }
});

for (const addressing of ["path", "virtual-host"] as const) {
  describe(`a bucket named by ${addressing}`, () => {
    let server: S3Server;
    let places = 0;
    beforeAll(async () => void (server = await s3Server({ credentials, pageKeys: 3 })));
    afterAll(() => server.stop());
    const options = (bucket = `bucket-${places++}`): S3Options => ({
      endpoint: addressing === "path" ? `http://127.0.0.1:${server.port}` : `http://localhost:${server.port}`,
      bucket,
      region: "eu-central-1",
      credentials: () => credentials,
      addressing,
      fetch: localFetch,
    });

    describeHostFiles(`a bucket named by ${addressing}`, async () => {
      const bucket = `shared-${places++}`;
      return [s3Files(options(bucket)), s3Files(options(bucket))];
    });
    describeFileSystem(
      `hostFs over a bucket named by ${addressing}`,
      (files) => filledTree(hostFs(s3Files(options()), "/some/scope", { asksFirst: true }), files),
      {
        skips: {
          edit: "a store of blobs has no directories",
          snapshot: "a store is read file by file",
          search: "a store of blobs has no index",
        },
      },
    );
  });
}

describe("an S3-compatible bucket", () => {
  const temporary = { ...credentials, sessionToken: "token" };
  let server: S3Server;
  beforeAll(async () => void (server = await s3Server({ credentials: temporary, pageKeys: 2 })));
  afterAll(() => server.stop());
  const bucketOf = (bucket: string, more: Partial<S3Options> = {}) =>
    s3Files({
      endpoint: `http://127.0.0.1:${server.port}`,
      bucket,
      region: "us-east-1",
      credentials: () => temporary,
      addressing: "path",
      ...more,
    });
  const put = (name: string) => server.objects.set(name, { bytes: new Uint8Array(), etag: '"0"' });

  it("is safe for shared writing, and the try leaves nothing behind", async () => {
    expect((await openSharedFs(bucketOf("safe"))).readOnlyReason).toBeUndefined();
    expect([...server.objects.keys()].filter((name) => name.startsWith("safe/"))).toEqual([]);
  });

  it.each([
    [
      "<Error><Code>NoSuchBucket</Code></Error>",
      /^The store answered 404: it has no bucket of this name\. .*NoSuchBucket/,
    ],
    ["nothing here", /^The server answered 404: it does not look like an S3 store\. Check the address/],
  ])("says of a 404 whether the bucket is wrong or the address: %s", async (answer, reason) => {
    const asked: string[] = [];
    const fetch = async (_url: unknown, init?: RequestInit) => {
      asked.push(init?.method ?? "");
      return new Response(answer, { status: 404 });
    };
    await expect(openSharedFs(bucketOf("none", { fetch }), { otherwise: "read-only" })).rejects.toMatchObject({
      code: "unavailable",
      reason: expect.stringMatching(reason) as string,
    });
    expect(asked).toEqual(["GET"]);
  });

  it("shows of its keys what can be a tree", async () => {
    for (const key of [
      "a/",
      "a/b",
      "f",
      "f/below",
      "x//y",
      "../up",
      "./dot",
      "deep/only/",
      "d e/f+g&h<i>.txt",
      "nul\0",
    ]) {
      put(`keys/${key}`);
    }
    const tree = hostFs(bucketOf("keys"));
    expect(await pathsOf(tree.list())).toEqual(["/a", "/a/b", "/d e", "/d e/f+g&h<i>.txt", "/f"]);
    expect([(await tree.stat("/deep")).kind, (await tree.stat("/f")).kind]).toEqual(["missing", "file"]);
  });

  it("tells all of them at once, page by page, the same as folder by folder", async () => {
    for (const key of ["a/", "a/b", "f", "f/below", "f-x", "x//y", "d e/f+g&h<i>.txt"]) put(`all/${key}`);
    const source = hostSource(bucketOf("all"));
    const mirror = await mirrorFs({ scope: "all" });
    mirror.connect(source);
    server.log.length = 0;
    await mirror.refresh();
    expect(server.log.every((line) => line.startsWith("GET /all/?") && !line.includes("delimiter"))).toBe(true);
    expect(server.log.length).toBe(4);
    expect(await pathsOf(mirror.list())).toEqual(await pathsOf(hostFs(bucketOf("all")).list()));
    expect(await pathsOf(mirror.list())).toEqual(["/a", "/a/b", "/d e", "/d e/f+g&h<i>.txt", "/f", "/f-x"]);
  });

  it("is asked again when it says that two conditional writes met, and given up when it always does", async () => {
    const files = bucketOf("busy");
    server.conflictsToCome = 3;
    expect((await files.write("/f", new Uint8Array(), { ifNoneMatch: "*" })).kind).toBe("written");
    server.conflictsToCome = 100;
    await expect(files.write("/g", new Uint8Array(), { ifNoneMatch: "*" })).rejects.toMatchObject({
      code: "write-failed",
      path: "/g",
      message: "write failed: /g (others write it all the time)",
    });
    server.conflictsToCome = 0;
  });

  it("says what it did not like about the credentials", async () => {
    const wrong = bucketOf("denied", { credentials: () => ({ ...temporary, secretAccessKey: "wrong" }) });
    await expect(entriesOf(hostFs(wrong).list())).rejects.toMatchObject({
      code: "permission",
      path: "/",
      reason: "The server answered 403: SignatureDoesNotMatch: told by the test",
    });
    const none = bucketOf("denied", { credentials: () => undefined });
    await expect(none.read("/f")).rejects.toMatchObject({ code: "permission", path: "/f" });
  });

  it("is refused when it takes no notice of conditions", async () => {
    const careless = await s3Server({ credentials, keepsConditions: false });
    const files = bucketOf("b", { endpoint: `http://127.0.0.1:${careless.port}`, credentials: () => credentials });
    await expect(openSharedFs(files)).rejects.toMatchObject({ name: "UnsafeStoreError", code: "unavailable" });
    expect([...careless.objects]).toEqual([]);
    await careless.stop();
  });
});
