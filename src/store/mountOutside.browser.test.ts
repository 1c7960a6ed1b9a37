import { afterAll, afterEach, describe, expect, inject, it, vi } from "vitest";
import { inlineEngine } from "../fs";
import { createKeyring } from "../secrets";
import { openProjects, type ProjectCatalog } from "../storage";
import { createMountsStore } from "./mountsStore";
import { createNoticeStore } from "./noticeStore";
import { emptyProjectDocument, jsonFromProjectDocument } from "./projectDocument";
import { createProjectStore } from "./projectStore";
import type { WorkbenchServices } from "./workbenchServices";

// Every step is a message to another process, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let count = 0;
const catalogs: ProjectCatalog[] = [];

/** A folder of the origin's private file system stands for one of the computer: its handle can be kept, its files change. */
async function newFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(`mounted-${count++}`, { create: true });
}

async function written(folder: FileSystemDirectoryHandle, name: string, text: string): Promise<void> {
  const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
  await writable.write(text);
  await writable.close();
}

const textOf = async (folder: FileSystemDirectoryHandle, name: string) =>
  (await (await folder.getFileHandle(name)).getFile()).text();

afterEach(async () => {
  vi.restoreAllMocks();
  for (const catalog of catalogs.splice(0)) {
    for (const { id } of await catalog.list()) await catalog.delete(id);
    catalog.close();
  }
});
afterAll(async () => {
  const root = await navigator.storage.getDirectory();
  for await (const name of root.keys()) {
    if (name.startsWith("mounted-")) await root.removeEntry(name, { recursive: true });
  }
});

interface OutsideFixture {
  readonly catalog: ProjectCatalog;
  readonly projectId: string;
  readonly dispose: () => Promise<void>;
}

/** The mounts of a project with what they lean on, and nothing else of a workbench. */
async function outsideFixture(from?: OutsideFixture) {
  const catalog = from?.catalog ?? (await openProjects({ name: `mount test ${Date.now()} ${count++}` }));
  if (from === undefined) catalogs.push(catalog);
  const document = jsonFromProjectDocument({ ...emptyProjectDocument, mounts: [] });
  const projectId = from?.projectId ?? (await catalog.create("Test", document)).id;
  const storage = await catalog.open(projectId);
  const services: WorkbenchServices = {
    catalog,
    engine: inlineEngine,
    keyring: createKeyring(),
    clock: Date.now,
    randomSeed: () => "seed",
    createModel: () => Promise.reject(new Error("no model here")),
    scheduleFrame: (callback) => void setTimeout(callback),
    listProjects: () => catalog.list(),
    showProject: () => Promise.resolve(),
    deleteProjectLater: () => Promise.resolve(),
  };
  const notices = createNoticeStore();
  const project = await createProjectStore({ services, storage, notices });
  const mounts = await createMountsStore({ services, storage, notices, project });
  const state = () => mounts.getState();
  const view = (prefix: string) => state().mounts.find((mount) => mount.prefix === prefix);
  return {
    catalog,
    projectId,
    project,
    state,
    view,
    paths: async () => [...(await state().currentSnapshot()).files()].map(([path]) => path),
    read: (path: string) => state().liveTree().read(path),
    settled: (prefix: string, wanted: string) =>
      vi.waitUntil(() => view(prefix)?.state === wanted, { timeout: 20_000, interval: 5 }),
    dispose: async () => {
      await state().dispose();
      await project.getState().flush();
      project.getState().dispose();
      await storage.close();
    },
  };
}

const reloaded = async (fixture: OutsideFixture) => {
  await fixture.dispose();
  return outsideFixture(fixture);
};

describe("a folder of this computer", () => {
  it("is read and written where it lies, and is there again after a reload", async () => {
    const folder = await newFolder();
    await written(folder, "a.txt", "1");
    const fixture = await outsideFixture();
    const { state, paths, read, settled } = fixture;
    expect(await state().addMount({ prefix: "/f", readOnly: false, kind: "folder", handle: folder })).toBeUndefined();
    await settled("/f", "ready");
    expect([await paths(), await read("/f/a.txt")]).toEqual([["/f/a.txt"], "1"]);
    expect(await state().createFile("/f", "b.txt")).toBeUndefined();
    await state().write("/f/b.txt", "2");
    expect(await textOf(folder, "b.txt")).toBe("2");
    const later = await reloaded(fixture);
    await later.settled("/f", "ready");
    expect(await later.read("/f/b.txt")).toBe("2");
    await written(folder, "c.txt", "3");
    expect(await later.state().refreshMount(later.view("/f")?.id ?? "")).toBeUndefined();
    expect(await later.paths()).toEqual(["/f/a.txt", "/f/b.txt", "/f/c.txt"]);
    await later.dispose();
  });

  it("asks again after a reload, shows what was last seen meanwhile, and marks nothing as gone", async () => {
    const folder = await newFolder();
    await written(folder, "a.txt", "1");
    await written(folder, "b.txt", "1");
    const fixture = await outsideFixture();
    await fixture.state().addMount({ prefix: "/f", readOnly: false, kind: "folder", handle: folder });
    await fixture.settled("/f", "ready");
    await fixture.state().markRunBegin();
    await fixture.state().write("/f/a.txt", "2");
    await vi.waitUntil(() => fixture.project.getState().baseline !== undefined, 20_000);

    let permission: PermissionState = "prompt";
    const handles = FileSystemHandle.prototype as unknown as Record<
      "queryPermission" | "requestPermission",
      () => unknown
    >;
    vi.spyOn(handles, "queryPermission").mockImplementation(async () => permission);
    vi.spyOn(handles, "requestPermission").mockImplementation(async () => (permission = "granted"));
    const later = await reloaded(fixture);
    await later.settled("/f", "needs-permission");
    expect([later.view("/f")?.error, await later.paths(), await later.read("/f/a.txt")]).toEqual([
      "The browser asks again before this page may use the folder.",
      ["/f/a.txt", "/f/b.txt"],
      "2",
    ]);
    await expect(later.read("/f/b.txt")).rejects.toMatchObject({ code: "permission", path: "/f/b.txt" });
    expect(
      later
        .state()
        .changes.list()
        .map(({ kind, path }) => `${kind} ${path}`),
    ).toEqual(["modified /f/a.txt"]);
    expect(await later.state().askMountPermission(later.view("/f")?.id ?? "")).toBeUndefined();
    await later.settled("/f", "ready");
    expect(await later.read("/f/b.txt")).toBe("1");
    expect(await later.state().revert()).toBeUndefined();
    expect(await textOf(folder, "a.txt")).toBe("1");
    await vi.waitUntil(() => later.state().changes.count === 0, 20_000);
    await later.dispose();
  });

  it("that is gone is said to be, keeps what was last seen, and opens again when it is back", async () => {
    const folder = await newFolder();
    await written(folder, "a.txt", "1");
    const { state, view, settled, paths, dispose } = await outsideFixture();
    await state().addMount({ prefix: "/f", readOnly: true, kind: "folder", handle: folder });
    await settled("/f", "ready");
    const root = await navigator.storage.getDirectory();
    await root.removeEntry(folder.name, { recursive: true });
    const id = view("/f")?.id ?? "";
    expect(await state().refreshMount(id)).toBe("The folder is no longer there.");
    await settled("/f", "failed");
    expect([view("/f")?.error, await paths()]).toEqual(["The folder is no longer there.", ["/f/a.txt"]]);
    await root.getDirectoryHandle(folder.name, { create: true });
    expect(await state().reopenMount(id)).toBeUndefined();
    await settled("/f", "ready");
    expect(await paths()).toEqual([]);
    await dispose();
  });
});

describe.skipIf(inject("webdavUrl") === "")("a WebDAV server of another address", () => {
  const added = async (folder: string, name = "") => {
    const fixture = await outsideFixture();
    const url = `${inject("webdavUrl")}/${folder}/${name}`;
    expect(await fixture.state().addMount({ prefix: "/dav", readOnly: false, kind: "webdav", url })).toBeUndefined();
    await vi.waitUntil(() => fixture.view("/dav")?.state !== "opening" && fixture.view("/dav") !== undefined, 20_000);
    return fixture;
  };

  it("is read and written, is for reading only where it hides versions, and says what it must allow", async () => {
    const open = await added("open");
    const name = `/dav/mount-${count++}-${Date.now()}.txt`;
    await open.state().write(name, "1");
    expect([open.view("/dav")?.state, await open.read(name)]).toEqual(["ready", "1"]);
    await open.dispose();

    const hidden = await added("hidden");
    expect([hidden.view("/dav")?.state, hidden.view("/dav")?.readOnly, hidden.view("/dav")?.readOnlyReason]).toEqual([
      "ready",
      true,
      expect.stringContaining("Access-Control-Expose-Headers: ETag"),
    ]);
    await hidden.dispose();

    const closed = await added("closed");
    expect([closed.view("/dav")?.state, closed.view("/dav")?.error]).toEqual([
      "failed",
      expect.stringContaining("does not let this page use it (CORS)"),
    ]);
    await closed.dispose();
  });
});
