import { afterEach, describe, expect, it, vi } from "vitest";
import { QuotaError } from "../fs";
import type { SessionEvent } from "../session";
import { until, workbenchFixture } from "../testing/workbenchFixture";
import { importedProject } from "./projectFiles";
import { emptyProjectDocument, projectDocumentFromJson } from "./projectDocument";

afterEach(() => vi.restoreAllMocks());

describe("the project document", () => {
  it("is saved after a pause and found again", async () => {
    const first = await workbenchFixture();
    const { project } = first.workbench;
    project.getState().setDraft("What is here?");
    project.getState().changeAgent({ name: "Reader" });
    expect(project.getState().saveState).toBe("saving");
    await until(() => project.getState().saveState === "saved", "saved");
    await first.workbench.dispose();
    const second = await workbenchFixture({ from: first });
    expect(second.workbench.project.getState()).toMatchObject({
      draft: "What is here?",
      agent: { name: "Reader" },
      saveState: "saved",
    });
  });

  it("is saved in between while changes keep coming, and before what a message starts", async () => {
    const { workbench } = await workbenchFixture();
    const { project, storage, session } = workbench;
    const saved = vi.spyOn(storage, "saveDocument");
    let changes = 0;
    const typing = setInterval(() => project.getState().setDraft(`typed ${changes++}`), 20);
    await until(() => saved.mock.calls.length > 0, "saved while typing goes on");
    clearInterval(typing);
    project.getState().setModel({ kind: "demo", seed: "chosen" });
    saved.mockClear();
    void session.getState().send("go");
    await until(() => session.getState().currentId !== undefined, "a session");
    expect(saved.mock.calls[0]?.[0]).toMatchObject({ model: { seed: "chosen" } });
    await workbench.dispose();
  });

  it("says why it is not saved, keeps what it holds, and can be saved again", async () => {
    const { workbench } = await workbenchFixture();
    const { project, storage, notices } = workbench;
    vi.spyOn(storage, "saveDocument").mockRejectedValueOnce(new QuotaError("/"));
    project.getState().setDraft("kept");
    await project.getState().flush();
    expect(project.getState()).toMatchObject({
      draft: "kept",
      saveState: {
        failed: "storage full: /. Delete files, sessions or projects to make room. Export first what should be kept.",
      },
    });
    expect(notices.getState().notices.map(({ tone, text }) => [tone, text])).toEqual([
      [
        "bad",
        "The project is not saved: storage full: /. Delete files, sessions or projects to make room. Export first what should be kept.",
      ],
    ]);
    notices.getState().notices[0]?.action?.run();
    await until(() => project.getState().saveState === "saved", "saved again");
    expect(await storage.loadDocument()).toMatchObject({ draft: "kept" });
  });

  it("takes over what another tab saved, except for what this tab shows", async () => {
    const fixture = await workbenchFixture();
    const { project, storage } = fixture.workbench;
    const other = await fixture.catalog.open(fixture.projectId);
    await other.saveDocument({
      ...(await storage.loadDocument()),
      agent: { name: "Other", instructions: "x" },
      draft: "theirs",
      mode: "compare",
    });
    await until(() => project.getState().agent.name === "Other", "the other tab's agent");
    expect(project.getState()).toMatchObject({ draft: "", mode: "run", saveState: "saved" });
    await other.close();
  });

  it("is whole even when parts of what was stored are damaged", () => {
    const damaged = {
      agent: 7,
      mounts: [{ id: "x" }],
      draft: "kept",
      mode: "evals",
      compare: { variants: [], prompts: [] },
    };
    expect(projectDocumentFromJson(damaged as never)).toEqual({
      ...emptyProjectDocument,
      draft: "kept",
      compare: { variants: [], prompts: [] },
    });
  });
});

describe("a project as a file", () => {
  it("comes back with its files, sessions and settings, without what belongs to this browser", async () => {
    const fixture = await workbenchFixture({
      document: {
        mounts: [
          {
            id: "repo",
            prefix: "/repo",
            kind: "idb",
            readOnly: false,
            color: 1,
            disk: "repo",
            firstFiles: { "/a b.txt": "kept" },
          },
          { id: "notes", prefix: "/notes", kind: "memory", readOnly: true, color: 2, seed: { "/n.md": "note" } },
          { id: "blob", prefix: "/blob", kind: "memory", readOnly: false, color: 3 },
        ],
        model: { kind: "openai-compatible", baseUrl: "http://localhost:1/v1", modelId: "x" },
        agent: { name: "A", instructions: "I", approvals: "never" },
        runsItself: "look",
        draft: "ready",
      },
    });
    const { workbench, catalog } = fixture;
    await workbench.mounts.getState().write("/blob/x.bin", new Uint8Array([0, 1, 2]));
    const file = await workbench.exportProject();
    expect(file?.name).toBe("Test.zip");
    await workbench.importProject({ name: "Test.zip", contents: file?.contents ?? new Blob() });

    const [imported] = (await catalog.list()).filter((project) => project.id !== fixture.projectId);
    const second = await workbenchFixture({ from: { ...fixture, projectId: imported?.id ?? "" } });
    const state = second.workbench.project.getState();
    expect(state).toMatchObject({
      name: "Test (imported)",
      draft: "ready",
      agent: { name: "A", instructions: "I" },
      model: { kind: "demo" },
    });
    expect(state.runsItself).toBeUndefined();
    expect(state.agent.approvals).toBeUndefined();
    expect(state.mounts.map(({ prefix, kind, readOnly }) => [prefix, kind, readOnly])).toEqual([
      ["/repo", "idb", false],
      ["/notes", "memory", true],
      // Bytes cannot begin a memory mount: they go to a disk rather than get lost.
      ["/blob", "idb", false],
    ]);
    const tree = second.workbench.mounts.getState().liveTree();
    expect([await tree.read("/repo/a b.txt"), await tree.read("/notes/n.md"), await tree.read("/blob/x.bin")]).toEqual([
      "kept",
      "note",
      new Uint8Array([0, 1, 2]),
    ]);
  });

  it("keeps the guard that every write asks, and leaves behind what was always allowed", async () => {
    const fixture = await workbenchFixture({
      document: { agent: { name: "A", instructions: "I", approvals: "writes" } },
    });
    const { workbench, catalog } = fixture;
    const sessionId = "ses_allowed";
    await workbench.storage.createSession({
      id: sessionId,
      name: "Allowed",
      createdAt: 1,
      updatedAt: 1,
      eventCount: 0,
      status: "ready",
      preview: "",
      origin: "live",
    });
    const always = {
      requestId: "r",
      kind: "tool-approval",
      outcome: "approved",
      response: { optionId: "always" },
    } as const;
    const resolved: SessionEvent = {
      type: "input.resolved",
      data: { turnId: "turn_0", sequence: 0, stepIndex: 0, resolutions: [always] },
      meta: { id: "evt_1", at: "2026-01-01T00:00:00.000Z" },
    };
    await workbench.storage.log(sessionId).append([resolved]);
    const file = await workbench.exportProject();
    for (let time = 0; time < 2; time++)
      await workbench.importProject({ name: "Test.zip", contents: file?.contents ?? new Blob() });

    const imported = (await catalog.list()).filter((project) => project.id !== fixture.projectId);
    expect(imported.map(({ name }) => name).toSorted()).toEqual(["Test (imported 2)", "Test (imported)"]);
    const { workbench: second } = await workbenchFixture({ from: { ...fixture, projectId: imported[0]?.id ?? "" } });
    expect(second.project.getState().agent.approvals).toBe("writes");
    const kept = [];
    for await (const batch of second.storage.log(sessionId).read()) kept.push(...batch);
    expect(kept).toEqual([
      { ...resolved, data: { ...resolved.data, resolutions: [{ ...always, response: { optionId: "approve" } }] } },
    ]);
  });

  it("is stopped on the way, and no project is made", async () => {
    const { workbench, catalog } = await workbenchFixture();
    await workbench.mounts.getState().liveTree().write("/work/a.txt", "a");
    const file = await workbench.exportProject();
    const stopping = new AbortController();
    const told: string[] = [];
    const progress = (done: number, total?: number) => {
      told.push(`${done} of ${total}`);
      stopping.abort(new Error("It was stopped."));
    };
    const work = { signal: stopping.signal, progress };
    const clock = () => 0;
    await expect(importedProject(catalog, file?.contents ?? new Blob(), clock, work)).rejects.toThrow(
      "It was stopped.",
    );
    expect(told).toEqual(["1 of 1"]);
    expect(await catalog.list()).toHaveLength(1);
  });

  it("that is none is refused with a sentence, and no project is made", async () => {
    const { workbench, catalog } = await workbenchFixture();
    await workbench.importProject({ name: "notes.zip", contents: new Blob(["no zip"]) });
    expect(workbench.notices.getState().notices.map(({ tone }) => tone)).toEqual(["bad"]);
    expect(workbench.notices.getState().notices[0]?.text).toMatch(/^notes\.zip was not imported: /);
    expect(await catalog.list()).toHaveLength(1);
  });
});
