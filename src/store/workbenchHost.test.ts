import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inlineEngine, UnavailableError } from "../fs";
import { createKeyring } from "../secrets";
import { openProjects, type ProjectCatalog } from "../storage";
import { scriptedModel } from "../testing/scriptedModel";
import { until } from "../testing/workbenchFixture";
import { emptyProjectDocument } from "./projectDocument";
import { createWorkbenchHost } from "./workbenchHost";

beforeEach(() => void vi.stubGlobal("BroadcastChannel", undefined));
afterEach(() => void vi.unstubAllGlobals());

async function hostFixture(remembered = new Map<string, string>(), replaced: Partial<ProjectCatalog> = {}) {
  const catalog = await openProjects();
  const host = createWorkbenchHost({
    services: {
      catalog: (Object.keys(replaced).length > 0 ? replaced : catalog) as ProjectCatalog,
      engine: inlineEngine,
      keyring: createKeyring(),
      clock: () => Date.UTC(2026, 0, 1),
      randomSeed: () => "seed",
      createModel: () => Promise.resolve(scriptedModel([])),
      scheduleFrame: (callback) => void setTimeout(callback),
    },
    memory: { get: (key) => remembered.get(key), set: (key, value) => void remembered.set(key, value) },
    sample: async () => ({
      name: "Sample",
      document: { ...emptyProjectDocument, draft: "look" },
      nextPrompt: "go on",
    }),
  });
  const project = () => host.state.getState().workbench?.project.getState();
  return {
    host,
    catalog,
    remembered,
    project,
    notices: () => host.state.getState().workbench?.notices.getState().notices ?? [],
  };
}

describe("the first project shown", () => {
  it("is the sample, which runs itself on the very first visit only", async () => {
    const first = await hostFixture();
    await first.host.begin();
    expect(first.project()).toMatchObject({ name: "Sample", draft: "go on", runsItself: "look" });

    const later = await hostFixture(first.remembered);
    await later.host.begin();
    expect(later.project()).toMatchObject({ name: "Sample", draft: "look" });
    expect(later.project()?.runsItself).toBeUndefined();
  });

  it("is the one shown last, when it is still there", async () => {
    const { host, catalog, remembered, project } = await hostFixture();
    const chosen = await catalog.create("Chosen");
    await catalog.create("Newer");
    remembered.set("last-project", chosen.id);
    await host.begin();
    expect(project()?.name).toBe("Chosen");
  });

  it("is the sample with a word about it, when the browser has dropped the others", async () => {
    const { catalog, host, project, notices } = await hostFixture(new Map([["last-project", "gone"]]));
    await host.begin();
    expect(notices()).toEqual([]);

    const dropped = await hostFixture(new Map([["last-project", "gone"]]), {
      kept: true,
      list: () => Promise.resolve([]),
      create: (name, document) => catalog.create(name, document),
      open: (id) => catalog.open(id),
      subscribe: (listener) => catalog.subscribe(listener),
    });
    await dropped.host.begin();
    expect(project()?.name).toBe("Sample");
    expect(dropped.notices().map(({ tone, text }) => [tone, text])).toEqual([
      [
        "warn",
        "The browser's storage for this page was cleared, and the projects kept in it are gone. This is the sample.",
      ],
    ]);
  });

  it("is another when the one shown last does not open, which is said", async () => {
    const { host, catalog, remembered, project, notices } = await hostFixture();
    const chosen = await catalog.create("Torn");
    await catalog.create("Whole");
    remembered.set("last-project", chosen.id);
    const open = catalog.open.bind(catalog);
    vi.spyOn(catalog, "open").mockImplementation((id) =>
      id === chosen.id ? Promise.reject(new UnavailableError("/", "It is held.")) : open(id),
    );
    await host.begin();
    expect(project()?.name).toBe("Whole");
    expect(notices().map(({ tone, text }) => [tone, text])).toEqual([
      [
        "bad",
        "“Torn” does not open: unavailable: /. It is held. Copy or export what is still open before you reload the page.",
      ],
    ]);
    expect(await catalog.list()).toHaveLength(2);

    vi.spyOn(catalog, "open").mockImplementation((id) =>
      id === chosen.id || id === project()?.id ? Promise.reject(new UnavailableError("/", "held")) : open(id),
    );
    await host.begin();
    expect(project()?.name).toBe("Sample");
    expect(await catalog.list()).toHaveLength(3);
  });

  it("tells why none opens", async () => {
    const { host, catalog } = await hostFixture();
    vi.spyOn(catalog, "list").mockRejectedValue(new Error("the site's data was cleared"));
    await host.begin();
    expect(host.state.getState()).toEqual({ workbench: undefined, failure: "the site's data was cleared" });
  });
});

describe("deleting a project", () => {
  it("is said at once by a page that still shows it, which saves it no more", async () => {
    const { host, catalog, project, notices } = await hostFixture();
    await catalog.create("Other");
    await host.begin();
    await project()?.createProject("Shown");
    await catalog.delete(project()?.id ?? "");
    await until(() => project()?.trouble !== undefined, "the deletion to be seen");
    const reason = "This project was deleted in another tab.";
    expect(project()).toMatchObject({ trouble: { kind: "deleted", reason }, saveState: { failed: reason } });
    project()?.setDraft("typed after it");
    await project()?.flush();
    expect(project()?.saveState).toEqual({ failed: reason });
    expect(notices().filter(({ text }) => text.includes("not saved"))).toEqual([]);
  });

  it("shows another and brings it back when asked", async () => {
    const { host, catalog, project, notices } = await hostFixture();
    await catalog.create("Other");
    await host.begin();
    await project()?.createProject("Doomed");
    await project()?.deleteProject();
    expect(project()?.name).toBe("Other");
    expect(project()?.projects.map(({ name }) => name)).toEqual(["Other"]);
    expect(notices().map(({ text }) => text)).toEqual(["Deleted the project “Doomed”"]);
    notices()[0]?.action?.run();
    await until(() => project()?.name === "Doomed", "the project to be back");
    expect((await catalog.list()).map(({ name }) => name).toSorted()).toEqual(["Doomed", "Other"]);
  });
});
