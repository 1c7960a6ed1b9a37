import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { gzipped, tarBytes } from "../archive/tarBytes.suite";
import type { UnavailableError } from "../fs";
import { s3Server, type S3Server } from "../fs/host/s3Server.suite";
import {
  until,
  workbenchFixture,
  type WorkbenchFixture,
  type WorkbenchFixtureOptions,
} from "../testing/workbenchFixture";
import type { ProjectStore } from "../storage";
import type { NewMount } from "./chosenMount";
import type { MountRecord } from "./mountRecord";
import { importedProject } from "./projectFiles";

async function kindsFixture(options: WorkbenchFixtureOptions = {}) {
  const fixture = await workbenchFixture({ document: { mounts: [] }, ...options });
  const { mounts, notices, project, storage } = fixture.workbench;
  const state = () => mounts.getState();
  const view = (prefix: string) => state().mounts.find((mount) => mount.prefix === prefix);
  return {
    ...fixture,
    state,
    view,
    storage,
    project,
    paths: async () => [...(await state().currentSnapshot()).files()].map(([path]) => path),
    read: (path: string) => state().liveTree().read(path),
    notice: (text: string) => notices.getState().notices.find((notice) => notice.text.includes(text)),
    undo: () =>
      notices
        .getState()
        .notices.findLast(({ action }) => action?.label === "Undo")
        ?.action?.run(),
    settled: (prefix: string, wanted: string) =>
      until(() => view(prefix)?.state === wanted, `${prefix} to be ${wanted}: ${JSON.stringify(view(prefix))}`),
    add: async (mount: NewMount, wanted = "ready") => {
      expect(await state().addMount(mount)).toBeUndefined();
      await until(() => view(mount.prefix)?.state === wanted, `${mount.prefix} to be ${wanted}`);
    },
  };
}

const reloaded = async (fixture: WorkbenchFixture) => {
  await fixture.workbench.dispose();
  return kindsFixture({ from: fixture });
};

const archive = new Blob([
  gzipped(
    tarBytes([
      { name: "a.txt", text: "a" },
      { name: "d/b.txt", text: "b" },
      { name: "../up", text: "x" },
    ]),
  ),
]);

describe("a mount of an archive", () => {
  it("holds its files, says what was left out, and is as it is until it may be written", async () => {
    const fixture = await kindsFixture();
    const { add, view, paths, notice, state } = fixture;
    await add({ prefix: "/a", readOnly: true, kind: "archive", file: archive, fileName: "a.tar.gz" });
    expect([await paths(), view("/a")?.fileCount]).toEqual([["/a/a.txt", "/a/d/b.txt"], 2]);
    expect(notice("/a has 2 files; 1 entry was left out.")?.details?.[0]).toMatch(/^“\.\.\/up” was left out/);
    expect(await state().createFile("/a", "c.txt")).toBe("read-only mount: /a/c.txt");
    await state().editMount(view("/a")?.id ?? "", { readOnly: false });
    expect(await state().createFile("/a", "c.txt")).toBeUndefined();
    const later = await reloaded(fixture);
    expect([await later.paths(), later.view("/a")?.state]).toEqual([["/a/a.txt", "/a/c.txt", "/a/d/b.txt"], "ready"]);
  });

  it("leaves nothing of one that is broken, and takes another file in its place", async () => {
    const fixture = await kindsFixture();
    const { add, view, storage } = fixture;
    await add(
      { prefix: "/a", readOnly: true, kind: "archive", file: new Blob(["no archive"]), fileName: "a.zip" },
      "needs-source",
    );
    expect([view("/a")?.error, await storage.diskIds()]).toEqual([
      "The file is no archive of a known kind: zip, tar or tar.gz",
      [],
    ]);
    const later = await reloaded(fixture);
    expect(later.view("/a")).toMatchObject({
      state: "needs-source",
      error: "The file is no archive of a known kind: zip, tar or tar.gz",
    });
    const source = { kind: "archive", file: archive, fileName: "b.tar.gz" } as const;
    expect(await later.state().editMount(later.view("/a")?.id ?? "", { source })).toBeUndefined();
    await later.settled("/a", "ready");
    expect(await later.paths()).toEqual(["/a/a.txt", "/a/d/b.txt"]);
  });
});

describe("mounts that come and go while a session is open", () => {
  it("are the only thing it is told, and leave no mark of a change, however they are filled or laid", async () => {
    const fixture = await kindsFixture({
      model: scriptedModel([{ parts: [...textParts("t", "Done."), finishPart("stop")] }]),
      document: {
        mounts: [{ id: "work", prefix: "/work", kind: "memory", readOnly: false, color: 1, seed: { "/w": "1" } }],
      },
    });
    const { state, add, view, undo, workbench, paths } = fixture;
    await workbench.session.getState().send("go");
    await add({ prefix: "/arch", readOnly: true, kind: "archive", fileName: "a.tgz", file: archive });
    await add({ prefix: "/all", readOnly: true, kind: "overlay", upper: view("/arch")?.id ?? "", lower: "work" });
    await state().removeMount(view("/arch")?.id ?? "");
    await until(() => view("/all")?.fileCount === 1, "the layer to go");
    undo();
    await until(() => view("/all")?.fileCount === 3, "the layer to come back");
    const leadsTo = () => {
      const last = new Map<string, string | undefined>();
      for (const event of workbench.session.getState().events())
        if (event.type === "tree.changed") for (const change of event.data.changes) last.set(change.path, change.after);
      return [...last]
        .filter(([, after]) => after !== undefined)
        .map(([path]) => path)
        .toSorted();
    };
    await until(() => leadsTo().length === 5, "all to be told");
    expect(leadsTo()).toEqual((await paths()).filter((path) => path !== "/work/w"));
    const reasons = workbench.session
      .getState()
      .events()
      .flatMap((event) => (event.type === "tree.changed" ? [event.data.reason] : []));
    expect([...new Set(reasons)]).toEqual(["mounts"]);
    await until(() => state().changes.count === 0, `no change: ${JSON.stringify(state().changes.list())}`);
  });
});

describe("a mount of an address", () => {
  let server: Server;
  let url: string;
  let text = "first";
  const waiting = new Set<ServerResponse>();
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === "/file.txt") response.end(text);
      else if (request.url === "/slow.tgz") {
        response.writeHead(200).write("begin");
        waiting.add(response);
      } else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    for (const response of waiting) response.destroy();
    server.close();
  });

  it("is one file, fetched again when asked: the old one stays until the new one is there, and can be taken back", async () => {
    const { add, view, read, state, undo, settled, storage } = await kindsFixture();
    await add({ prefix: "/web", readOnly: true, kind: "address", url: `${url}/file.txt` });
    expect(await read("/web/file.txt")).toBe("first");
    text = "second";
    const id = view("/web")?.id ?? "";
    expect(await state().reopenMount(id)).toBeUndefined();
    expect(await read("/web/file.txt")).toBe("second");
    undo();
    await until(() => state().mounts.length > 0, "the table");
    await settled("/web", "ready");
    await until(() => state().snapshot.file("/web/file.txt")?.sizeBytes === 5, "the first text");
    expect([await read("/web/file.txt"), (await storage.diskIds()).length]).toEqual(["first", 1]);
  });

  it("tells what fetching again would lose, and hands out the old files while they can be had back", async () => {
    const fixture = await kindsFixture();
    const { add, view, read, state, notice, undo } = fixture;
    text = "fetched";
    await add({ prefix: "/web", readOnly: false, kind: "address", url: `${url}/file.txt` });
    const id = view("/web")?.id ?? "";
    expect(await state().lostByFetching(id)).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await state().write("/web/file.txt", "mine");
    expect(await state().lostByFetching(id)).toEqual(["/file.txt"]);
    expect(await state().reopenMount(id)).toBeUndefined();
    expect([await read("/web/file.txt"), await state().lostByFetching(id)]).toEqual(["fetched", undefined]);
    const file = await notice("Fetched /web again")?.file?.();
    expect([file?.name, await file?.contents.text()]).toEqual(["web.zip", expect.stringContaining("mine")]);
    undo();
    await vi.waitFor(async () => expect(await read("/web/file.txt")).toBe("mine"));
    expect(await state().lostByFetching(id)).toEqual(["/file.txt"]);
    await state().write("/web/file.txt", "fetched");
    expect(await state().lostByFetching(id)).toBeUndefined();
    await state().remove(["/web/file.txt"]);
    expect(await state().lostByFetching(id)).toEqual([]);
  });

  it("keeps what it had when fetching again fails, and says why it failed", async () => {
    const { add, view, read, state } = await kindsFixture();
    text = "kept";
    await add({ prefix: "/web", readOnly: true, kind: "address", url: `${url}/file.txt` });
    const id = view("/web")?.id ?? "";
    const source = { kind: "address", url: `${url}/gone.txt` } as const;
    await state().editMount(id, { source });
    await until(() => view("/web")?.error !== undefined, "the failure");
    expect([await read("/web/file.txt"), view("/web")?.state, view("/web")?.error]).toEqual([
      "kept",
      "ready",
      `${new URL(url).host} has nothing at this address`,
    ]);
  });

  it("can be stopped, which leaves nothing and can be tried again", async () => {
    const { state, view, settled, storage, project } = await kindsFixture();
    await state().addMount({ prefix: "/slow", readOnly: true, kind: "address", url: `${url}/slow.tgz` });
    await until(() => (view("/slow")?.progress?.bytes ?? 0) > 0, "the first bytes");
    const id = view("/slow")?.id ?? "";
    state().stopFilling(id);
    await settled("/slow", "failed");
    expect([view("/slow")?.error, await storage.diskIds(), project.getState().removedDisks]).toEqual([
      "Stopped. 0 files had come; nothing of it is kept.",
      [],
      [],
    ]);
  });

  it("says after a reload too why it came to nothing, until it comes", async () => {
    const fixture = await kindsFixture();
    const address = `${url}/gone.txt`;
    await fixture.add({ prefix: "/web", readOnly: true, kind: "address", url: address }, "failed");
    const error = `${new URL(url).host} has nothing at this address`;
    const later = await reloaded(fixture);
    expect(later.view("/web")).toMatchObject({ state: "failed", error });
    const source = { kind: "address", url: `${url}/file.txt` } as const;
    await later.state().editMount(later.view("/web")?.id ?? "", { source });
    await later.settled("/web", "ready");
    expect(later.project.getState().mounts[0]).not.toHaveProperty("problem");
  });

  it("refuses what is no address, or holds a password", async () => {
    const { state } = await kindsFixture();
    const add = (address: string) => state().addMount({ prefix: "/x", readOnly: true, kind: "address", url: address });
    expect([await add(""), await add("ftp://x"), await add("https://u:p@x.example")]).toEqual([
      "It needs an address, e.g. https://files.example.",
      "An address begins with https:// or http://.",
      "Leave user and password out of the address: they would be kept with it.",
    ]);
  });
});

describe("a mount of a bucket", () => {
  const credentials = { accessKeyId: "AKIDEXAMPLE12345", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
  let server: S3Server;
  let unsafe: S3Server;
  let buckets = 0;
  beforeAll(async () => {
    server = await s3Server({ credentials });
    unsafe = await s3Server({ credentials, keepsConditions: false });
  });
  afterAll(async () => {
    await server.stop();
    await unsafe.stop();
  });
  const bucketMount = (bucket: string, port = server.port) =>
    ({
      prefix: "/bucket",
      readOnly: false,
      kind: "s3",
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      region: "us-east-1",
      addressing: "path",
      access: "keys",
      credentials,
    }) as const;
  const put = (bucket: string, key: string, contents: string) =>
    void server.objects.set(`${bucket}/${key}`, {
      bytes: new TextEncoder().encode(contents),
      etag: `"${contents.length}-${contents}"`,
    });

  it("lists without reading, reads and writes through, and asks for its keys again after a reload", async () => {
    const bucket = `kinds-${buckets++}`;
    put(bucket, "a.txt", "1");
    put(bucket, "d/b.txt", "22");
    const fixture = await kindsFixture();
    const { add, view, paths, read, state, storage, workbench } = fixture;
    await add(bucketMount(bucket));
    expect([await paths(), view("/bucket")?.sizeBytes, view("/bucket")?.readOnly]).toEqual([
      ["/bucket/a.txt", "/bucket/d/b.txt"],
      3,
      false,
    ]);
    expect(server.log.some((line) => line.startsWith("GET") && line.includes("a.txt"))).toBe(false);
    await state().write("/bucket/new.txt", "new");
    expect(await read("/bucket/a.txt")).toBe("1");
    expect(new TextDecoder().decode(server.objects.get(`${bucket}/new.txt`)?.bytes)).toBe("new");
    expect(workbench.services.keyring.scrub(credentials.secretAccessKey)).toBe("[key removed]");
    await workbench.project.getState().flush();
    expect(JSON.stringify(await storage.loadDocument())).not.toContain(credentials.secretAccessKey);

    const later = await reloaded(fixture);
    await later.settled("/bucket", "needs-credentials");
    expect([later.view("/bucket")?.error, await later.paths()]).toEqual([
      "Its keys are held in memory only: give them again.",
      ["/bucket/a.txt", "/bucket/d/b.txt", "/bucket/new.txt"],
    ]);
    // What was read or written is kept, the rest is not to be had until then.
    expect(await later.read("/bucket/new.txt")).toBe("new");
    await expect(later.read("/bucket/d/b.txt")).rejects.toMatchObject({ code: "permission", path: "/bucket/d/b.txt" });
    const id = later.view("/bucket")?.id ?? "";
    const wrong = await later.state().giveMountCredentials(id, { ...credentials, secretAccessKey: "wrong-secret-key" });
    expect(wrong).toContain("403");
    await later.settled("/bucket", "needs-credentials");
    expect(await later.state().giveMountCredentials(id, credentials)).toBeUndefined();
    await later.settled("/bucket", "ready");
    expect(await later.read("/bucket/d/b.txt")).toBe("22");
  });

  it("is for reading only where it cannot keep writers apart, and says so", async () => {
    const { add, view, state } = await kindsFixture();
    await add(bucketMount("unsafe", unsafe.port));
    expect([view("/bucket")?.readOnly, view("/bucket")?.readOnlyReason]).toEqual([
      true,
      expect.stringMatching(/^This store is not safe for shared writing: /),
    ]);
    expect(await state().createFile("/bucket", "x")).toBe("read-only mount: /bucket/x");
    expect(state().table().recorded()).toEqual([{ prefix: "/bucket", kind: "s3", readOnly: true }]);
  });

  it("shows what others changed as changes since the run began, and both sides where a person typed", async () => {
    const bucket = `kinds-${buckets++}`;
    put(bucket, "a.txt", "1");
    put(bucket, "b.txt", "1");
    const { add, state, workbench, view } = await kindsFixture();
    await add(bucketMount(bucket));
    await state().markRunBegin();
    await workbench.editor.getState().open("/bucket/a.txt");
    workbench.editor.getState().edited("/bucket/a.txt", () => "mine");
    put(bucket, "a.txt", "theirs");
    put(bucket, "b.txt", "changed");
    await workbench.editor.getState().save("/bucket/a.txt");
    const document = () => workbench.editor.getState().documents[0];
    await until(() => document()?.conflict !== undefined, "the conflict");
    expect([document()?.conflict?.mine, document()?.conflict?.theirs]).toEqual(["mine", "theirs"]);
    expect(await state().refreshMount(view("/bucket")?.id ?? "")).toBeUndefined();
    await until(() => state().changes.count === 2, "the marks");
    await workbench.editor.getState().keepMine("/bucket/a.txt");
    expect(new TextDecoder().decode(server.objects.get(`${bucket}/a.txt`)?.bytes)).toBe("mine");
    expect(await state().revert(["/bucket/a.txt"])).toBeUndefined();
    expect(new TextDecoder().decode(server.objects.get(`${bucket}/a.txt`)?.bytes)).toBe("1");
    await until(() => state().changes.count === 1, "the marks");
  });

  it("keeps for a session what was read and changed, reads the rest where it lies, and says what is lost", async () => {
    const bucket = `kinds-${buckets++}`;
    for (const key of ["read", "changed", "unread", "gone", "never"]) put(bucket, key, `1 ${key}`);
    const fixture = await kindsFixture({
      model: scriptedModel([
        { parts: [...callParts("c1", "Read", { path: "/bucket/read" }), finishPart("tool-calls")] },
        { parts: [...callParts("c2", "Write", { path: "/bucket/changed", fileText: "2" }), finishPart("tool-calls")] },
        { parts: [...textParts("t", "Done."), finishPart("stop")] },
      ]),
    });
    const { add, storage, workbench, catalog } = fixture;
    await add(bucketMount(bucket));
    await workbench.session.getState().send("go");
    for (const key of ["read", "gone"]) put(bucket, key, "2 theirs");
    const started = workbench.session.getState().events()[0];
    const root = started?.type === "session.started" ? (started.data.playground?.snapshot ?? "") : "";
    const texts = async (store: ProjectStore, passed = "") => {
      const tree = await store.loadSnapshot(root);
      const read = [...tree.files("/bucket")].filter(([path]) => path !== passed);
      const files = read.map(async ([path, file]) => {
        const bytes = await file.bytes().catch((error: UnavailableError) => error);
        return [path, bytes instanceof Error ? bytes.reason : new TextDecoder().decode(bytes)];
      });
      return Object.fromEntries(await Promise.all(files)) as Record<string, string>;
    };
    const notKept =
      "Its contents were not kept: it was changed elsewhere, and nobody here had read this version of it.";
    const kept = { "/bucket/changed": "1 changed", "/bucket/gone": notKept, "/bucket/read": "1 read" };
    expect(await texts(storage, "/bucket/never")).toEqual({ ...kept, "/bucket/unread": "1 unread" });

    const exported = await workbench.exportProject();
    const { id, losses } = await importedProject(catalog, exported?.contents ?? new Blob(), () => 1);
    const imported = await catalog.open(id);
    // What was read by now came along; of the rest only the names are known there.
    const there = { ...kept, "/bucket/unread": "1 unread", "/bucket/never": notKept };
    expect([await texts(imported), losses]).toEqual([
      there,
      ["2 of the values this session names are not in the file."],
    ]);
    expect(server.log.some((line) => line.startsWith(`GET /${bucket}/never`))).toBe(false);
  });

  it("says what is wrong when nobody answers, keeps what was last seen, and opens again", async () => {
    const bucket = `kinds-${buckets++}`;
    const own = await s3Server({ credentials });
    const { add, view, state, settled, paths } = await kindsFixture();
    await add(bucketMount(bucket, own.port));
    await state().write("/bucket/a.txt", "1");
    await own.stop();
    const id = view("/bucket")?.id ?? "";
    expect(await state().refreshMount(id)).toContain("gave no answer: it is not reachable");
    await settled("/bucket", "failed");
    expect(await paths()).toEqual(["/bucket/a.txt"]);
    await state().editMount(id, { source: bucketMount(bucket) });
    await settled("/bucket", "ready");
    expect(await paths()).toEqual([]);
  });
});

describe("a project with all kinds of mounts, exported", () => {
  it("takes the files of its disks along, and nothing that leads to a folder or server of somebody's own", async () => {
    const mounts: readonly MountRecord[] = [
      { id: "f", prefix: "/f", kind: "folder", readOnly: false, color: 1, name: "docs", handle: "h" },
      { id: "z", prefix: "/z", kind: "archive", readOnly: true, color: 2, disk: "z", fileName: "z.zip", filledAt: 1 },
      { id: "p", prefix: "/p", kind: "address", readOnly: true, color: 3, disk: "p", url: "https://x.example/a?key=1" },
      { id: "w", prefix: "/w", kind: "webdav", readOnly: false, color: 4, url: "https://dav.example", user: "me" },
      {
        id: "s",
        prefix: "/s",
        kind: "s3",
        readOnly: false,
        color: 5,
        endpoint: "https://s3.example",
        bucket: "b",
        region: "r",
        addressing: "path",
        access: "keys",
      },
      { id: "o", prefix: "/o", kind: "overlay", readOnly: true, color: 6, upper: "z", lower: "f" },
    ];
    const { workbench, storage, catalog } = await kindsFixture({ document: { mounts } });
    await storage.disk("z").write("/a.txt", "kept");
    const exported = await workbench.exportProject();
    const { id } = await importedProject(catalog, exported?.contents ?? new Blob(), () => 1);
    const later = await kindsFixture({ from: { ...(await kindsFixture()), catalog, projectId: id } });
    const { project, view, read, settled } = later;
    expect(JSON.stringify(project.getState().mounts)).not.toMatch(/example|"me"|"h"/);
    expect(await read("/z/a.txt")).toBe("kept");
    for (const prefix of ["/f", "/w", "/s", "/p"]) await settled(prefix, "needs-source");
    expect(["/f", "/w", "/s", "/p", "/o"].map((prefix) => view(prefix)?.error)).toEqual([
      "This browser does not know the folder “docs”: choose it again.",
      "Its address is to be given again.",
      "The bucket “b” needs its address again.",
      "It was not fetched to its end, and nothing of it is kept.",
      "Without what /f cannot give now.",
    ]);
  });
});

describe("an overlay of two mounts", () => {
  const layered = async () => {
    const fixture = await kindsFixture({
      document: {
        mounts: [
          { id: "up", prefix: "/up", kind: "memory", readOnly: false, color: 1, seed: { "/both": "up", "/u": "1" } },
          { id: "low", prefix: "/low", kind: "memory", readOnly: false, color: 2, seed: { "/both": "low", "/l": "1" } },
        ],
      },
    });
    await fixture.add({ prefix: "/all", readOnly: false, kind: "overlay", upper: "up", lower: "low" });
    return fixture;
  };

  it("shows the upper one first, live, for reading only, and tells which layer had what", async () => {
    const { read, state, view, paths } = await layered();
    expect([await read("/all/both"), await read("/all/l")]).toEqual(["up", "1"]);
    expect(view("/all")).toMatchObject({
      readOnly: true,
      state: "ready",
      fileCount: 3,
      readOnlyReason: "An overlay is for reading only: write to one of its two mounts.",
    });
    await state().remove(["/up/both"]);
    await state().createFile("/low", "new");
    expect([await read("/all/both"), (await paths()).filter((path) => path.startsWith("/all"))]).toEqual([
      "low",
      ["/all/both", "/all/l", "/all/new", "/all/u"],
    ]);
    const served: unknown[] = [];
    const tree = state().liveTree((one) => served.push(one));
    await tree.read("/all/u");
    await tree.read("/all/l");
    expect(served).toEqual([
      { mount: "/all", path: "/all/u", verb: "read" },
      { mount: "/all", path: "/all/u", verb: "read", layer: "/up" },
      { mount: "/all", path: "/all/l", verb: "read" },
      { mount: "/all", path: "/all/l", verb: "read", layer: "/low" },
    ]);
  });

  it("stays with one layer, or none, and refuses to hold itself", async () => {
    const { state, view, paths, add, undo, settled } = await layered();
    const id = view("/all")?.id ?? "";
    const overlay = (upper: string, lower: string) => ({ kind: "overlay", upper, lower }) as const;
    const edited = (upper: string, lower: string) => state().editMount(id, { source: overlay(upper, lower) });
    expect([await edited("up", "up"), await edited("up", "no"), await edited(id, "low")]).toEqual([
      "An overlay is of two different mounts.",
      "An overlay is of two mounts that are in the table.",
      "An overlay cannot hold itself.",
    ]);
    await add({ prefix: "/more", readOnly: true, ...overlay(id, "low") });
    expect(await edited(view("/more")?.id ?? "", "low")).toBe("An overlay cannot hold itself.");
    await state().removeMount("up");
    await until(() => view("/all")?.error !== undefined, "the words");
    expect([
      view("/all")?.state,
      view("/all")?.error,
      (await paths()).filter((path) => path.startsWith("/all")),
    ]).toEqual(["ready", "One of its two mounts was removed: the other one shows.", ["/all/both", "/all/l"]]);
    undo();
    await until(() => view("/all")?.fileCount === 3, "the layer to come back");
    await state().removeMount("up");
    await state().removeMount("low");
    await settled("/all", "needs-source");
  });
});
