import { afterEach, describe, expect, it, vi } from "vitest";
import { workbenchFixture } from "../testing/workbenchFixture";

const LOCAL = { kind: "openai-compatible", baseUrl: "http://localhost:11434/v1", modelId: "small" } as const;
const listed = () => Promise.resolve(Response.json({ data: [{ id: "small" }, { id: "large" }] }));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("createModelStore", () => {
  it("has the demo planner ready, and any server untested until it was tried", async () => {
    const { workbench } = await workbenchFixture();
    const model = () => workbench.model.getState();
    expect(model().readiness).toBe("ready");
    model().choose(LOCAL);
    expect([model().readiness, workbench.project.getState().model]).toEqual(["untested", LOCAL]);
  });

  it("lists the server's models, or says why it cannot", async () => {
    const { workbench } = await workbenchFixture({ document: { model: LOCAL } });
    const fetch = vi.fn(listed);
    vi.stubGlobal("fetch", fetch);
    await workbench.model.getState().listModels();
    expect(workbench.model.getState().modelIds).toEqual(["small", "large"]);
    fetch.mockImplementation(() => Promise.reject(new TypeError("Failed to fetch")));
    await workbench.model.getState().listModels();
    expect(workbench.model.getState().listProblem).toEqual(expect.stringContaining("localhost:11434"));
  });

  it("names the step that failed, with the way out", async () => {
    const { workbench } = await workbenchFixture({ document: { model: LOCAL } });
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status: 401 })));
    await workbench.model.getState().test();
    const { steps, readiness, testing } = workbench.model.getState();
    expect(steps.map(({ step, ok }) => [step, ok])).toEqual([
      ["Address", true],
      ["Reach", true],
      ["Key", false],
    ]);
    expect([readiness, testing, steps.at(-1)?.fix]).toEqual([
      "failed",
      false,
      "This server wants a key: enter it beside the address.",
    ]);
  });

  it("holds a key for its own address only, and forgets it when the address moves or on request", async () => {
    const { workbench } = await workbenchFixture({ document: { model: LOCAL } });
    const model = () => workbench.model.getState();
    model().setKey("sk-canary-0123456789");
    expect(model().hasKey).toBe(true);
    model().choose({ ...LOCAL, baseUrl: "http://localhost:8080/v1" });
    expect(model().hasKey).toBe(false);
    model().choose(LOCAL);
    expect(model().hasKey).toBe(false);
    model().setKey("sk-canary-0123456789");
    model().setKey("");
    expect(model().hasKey).toBe(false);
    await workbench.project.getState().flush();
    expect(JSON.stringify(await workbench.storage.loadDocument())).not.toContain("sk-canary");
  });
});
