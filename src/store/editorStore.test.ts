import { describe, expect, it } from "vitest";
import { until, workbenchFixture } from "../testing/workbenchFixture";
import { losesEdit } from "./editorDocument";
import type { MountRecord } from "./mountRecord";

const MOUNTS: readonly MountRecord[] = [
  {
    id: "repo",
    prefix: "/repo",
    kind: "memory",
    readOnly: false,
    color: 1,
    seed: { "/a.txt": "one\ntwo\n", "/b.txt": "b" },
  },
  { id: "held", prefix: "/held", kind: "memory", readOnly: true, color: 2, seed: { "/c.txt": "c" } },
];

async function editorFixture() {
  const { workbench } = await workbenchFixture({ document: { mounts: MOUNTS } });
  const { editor, mounts, project } = workbench;
  const document = (id = "/repo/a.txt") => editor.getState().documents.find((one) => one.id === id);
  return {
    workbench,
    project,
    editor: () => editor.getState(),
    document,
    typed: (text: string, id = "/repo/a.txt") => editor.getState().edited(id, () => text),
    /** As the agent does: past the editor. */
    agentWrites: (text: string, id = "/repo/a.txt") => mounts.getState().liveTree().write(id, text),
    read: async (id = "/repo/a.txt") => mounts.getState().liveTree().read(id),
    runBegins: () => mounts.getState().markRunBegin(),
    settled: (condition: () => boolean) => until(condition, "the editor to follow"),
  };
}

describe("a file in the editor", () => {
  it("is saved after a pause, without being asked", async () => {
    const { editor, typed, document, read, settled } = await editorFixture();
    await editor().open("/repo/a.txt");
    typed("one\nTWO\n");
    expect(document()).toMatchObject({ dirty: true, text: "one\ntwo\n" });
    await settled(() => document()?.dirty === false);
    expect(await read()).toBe("one\nTWO\n");
    expect(document()).toMatchObject({ text: "one\nTWO\n", problem: undefined, conflict: undefined });
  });

  it("follows what the agent writes while nothing is typed", async () => {
    const { editor, document, agentWrites, settled } = await editorFixture();
    await editor().open("/repo/a.txt");
    await agentWrites("by the agent");
    await settled(() => document()?.text === "by the agent");
    expect(document()).toMatchObject({ dirty: false, conflict: undefined });
  });

  it("says which mount hides it, and is back as it was when that is gone", async () => {
    const { workbench, editor, document, settled } = await editorFixture();
    await editor().open("/repo/a.txt");
    const mounts = workbench.mounts.getState();
    await mounts.addMount({ prefix: "/repo/a.txt", kind: "memory", readOnly: false });
    await settled(() => document()?.presentation === "gone" && document()?.hidden !== undefined);
    expect(document()?.hidden).toEqual({ by: "/repo/a.txt", of: "/repo" });
    await mounts.removeMount(workbench.mounts.getState().mountOf("/repo/a.txt")?.id ?? "");
    await settled(() => document()?.presentation === "text");
    expect(document()).toMatchObject({ text: "one\ntwo\n", hidden: undefined, conflict: undefined });
  });

  it("shows both texts when the agent wrote what is being edited, and writes neither until the person chooses", async () => {
    const { editor, document, typed, agentWrites, read, settled } = await editorFixture();
    await editor().open("/repo/a.txt");
    typed("mine");
    await agentWrites("theirs");
    await settled(() => document()?.conflict !== undefined);
    expect(document()?.conflict).toMatchObject({ mine: "mine", theirs: "theirs" });
    await editor().save("/repo/a.txt");
    expect(await read()).toBe("theirs");

    await editor().keepMine("/repo/a.txt");
    expect(await read()).toBe("mine");
    expect(document()).toMatchObject({ dirty: false, conflict: undefined, text: "mine" });
  });

  it("can take the other text instead", async () => {
    const { editor, document, typed, agentWrites, settled } = await editorFixture();
    await editor().open("/repo/a.txt");
    typed("mine");
    await agentWrites("theirs");
    await settled(() => document()?.conflict !== undefined);
    await editor().takeTheirs("/repo/a.txt");
    expect(document()).toMatchObject({ dirty: false, conflict: undefined, text: "theirs" });
  });

  it("asks when the agent writes over an edit that was saved while it ran", async () => {
    const { editor, document, typed, agentWrites, runBegins, settled } = await editorFixture();
    await editor().open("/repo/a.txt");
    await runBegins();
    typed("one\ntwo\nmy line\n");
    await editor().save("/repo/a.txt");
    await agentWrites("one\nTWO\n");
    await settled(() => document()?.conflict !== undefined);
    expect(document()?.conflict).toMatchObject({ mine: "one\ntwo\nmy line\n", theirs: "one\nTWO\n" });
  });

  it("does not ask when the agent built on the saved edit, or when the edit is older than the run", async () => {
    const { editor, document, typed, agentWrites, runBegins, settled } = await editorFixture();
    await editor().open("/repo/a.txt");
    typed("one\ntwo\nmy line\n");
    await editor().save("/repo/a.txt");
    await agentWrites("one\nTWO\nmy line\n");
    await settled(() => document()?.text === "one\nTWO\nmy line\n");
    typed("one\nTWO\nmy other line\n");
    await editor().save("/repo/a.txt");
    await runBegins();
    await agentWrites("all new");
    await settled(() => document()?.text === "all new");
    expect(document()?.conflict).toBeUndefined();
  });

  it("keeps what was typed when the file is deleted under it", async () => {
    const { workbench, editor, document, typed, read, settled } = await editorFixture();
    await editor().open("/repo/a.txt");
    typed("mine");
    await workbench.mounts.getState().liveTree().delete("/repo/a.txt");
    await settled(() => document()?.conflict !== undefined);
    expect(document()?.conflict).toMatchObject({ mine: "mine", theirs: undefined });
    await editor().keepMine("/repo/a.txt");
    expect(await read()).toBe("mine");
  });

  it("says why it is not saved and stays open, its text kept", async () => {
    const { editor, document, typed } = await editorFixture();
    await editor().open("/held/c.txt");
    typed("changed", "/held/c.txt");
    await editor().close("/held/c.txt");
    expect(document("/held/c.txt")).toMatchObject({
      dirty: true,
      readOnly: true,
      problem: "read-only mount: /held/c.txt",
    });
  });

  it("is shown as what it is: an image, bytes, or gone", async () => {
    const { editor, document, agentWrites, workbench } = await editorFixture();
    const tree = workbench.mounts.getState().liveTree();
    await tree.write("/repo/p.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]));
    await tree.write("/repo/x.bin", new Uint8Array([0, 1, 2]));
    await agentWrites("text", "/repo/t.txt");
    for (const id of ["/repo/p.png", "/repo/x.bin", "/repo/t.txt", "/repo/none"]) await editor().open(id);
    expect(editor().documents.map(({ id, presentation }) => [id, presentation])).toEqual([
      ["/repo/p.png", "image"],
      ["/repo/x.bin", "binary"],
      ["/repo/t.txt", "text"],
      ["/repo/none", "gone"],
    ]);
    expect(document("/repo/x.bin")).toMatchObject({ sizeBytes: 3 });
  });
});

describe("the project's own documents", () => {
  it("instructions become the agent's when they are saved", async () => {
    const { editor, typed, project } = await editorFixture();
    await editor().open("instructions.md");
    typed("Be brief.\n", "instructions.md");
    await editor().save("instructions.md");
    expect(project.getState().agent.instructions).toBe("Be brief.\n");
  });

  it("an agent definition with faults is told so and not saved", async () => {
    const { editor, typed, project, document } = await editorFixture();
    const before = project.getState().agent;
    await editor().open("agent.json");
    typed('{ "name": "X", "tools": ["search"] }', "agent.json");
    await editor().save("agent.json");
    expect(document("agent.json")).toMatchObject({ dirty: true });
    expect(document("agent.json")?.problem).toContain("tools");
    expect(project.getState().agent).toEqual(before);
    typed('{ "name": "X", "tools": ["read"] }', "agent.json");
    await editor().save("agent.json");
    expect(document("agent.json")).toMatchObject({ dirty: false, problem: undefined });
    expect(project.getState().agent).toEqual({ name: "X", tools: ["read"], instructions: before.instructions });
  });
});

describe("losesEdit", () => {
  it.each([
    ["a\nb", "a\nb\nc", "a\nb", true],
    ["a\nb", "a\nb\nc", "A\nb\nc", false],
    ["a\nb", "a", "a\nb\nc", true],
    ["a\nb", "a", "a\nc", false],
  ])("from %j to %j, then %j: %j", (base, mine, theirs, lost) => {
    expect(losesEdit(base, mine, theirs)).toBe(lost);
  });
});
