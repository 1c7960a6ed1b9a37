import { describe, expect, it } from "vitest";
import { workbenchFixture } from "../testing/workbenchFixture";
import { emptyProjectDocument } from "./projectDocument";

describe("a project whose settings are damaged", () => {
  it("opens with every disk mounted under its own name, says so, and keeps the damaged record", async () => {
    const first = await workbenchFixture();
    await first.workbench.mounts.getState().liveTree().write("/work/mine.txt", "mine");
    const { records } = first.workbench.storage.database;
    await first.workbench.dispose();
    await records.write(async (writer) => writer.put(["doc"], { json: '{"draft":', checksum: 1 }));
    const second = await workbenchFixture({ from: first });
    const { project, mounts } = second.workbench;
    expect(project.getState()).toMatchObject({
      settingsDamage: "The record of this project's settings is damaged: what is stored is not what was written.",
      agent: emptyProjectDocument.agent,
      mounts: [{ prefix: "/work", disk: "work", kind: "idb", readOnly: false }],
    });
    expect(mounts.getState().snapshot.file("/work/mine.txt")).toBeDefined();
    project.getState().setDraft("goes on");
    await project.getState().flush();
    expect(await records.read((reader) => reader.get(["doc", "damaged"]))).toEqual({ json: '{"draft":', checksum: 1 });
    expect(await second.workbench.storage.loadDocument()).toMatchObject({ draft: "goes on" });
    await second.workbench.dispose();
  });
});

describe("a project that a newer version wrote while it was open", () => {
  it("is not saved over, and says so where it would say saved", async () => {
    const { workbench } = await workbenchFixture();
    const { project, storage, notices } = workbench;
    await storage.database.records.write(async (writer) => writer.put(["h"], { schema: 99, epoch: 1 }));
    await storage.database.lookAgain();
    const { trouble } = project.getState();
    expect(trouble?.kind).toBe("newer");
    project.getState().setDraft("not saved");
    await project.getState().flush();
    expect(project.getState()).toMatchObject({ draft: "not saved", saveState: { failed: trouble?.reason } });
    expect(notices.getState().notices).toEqual([]);
    await workbench.dispose();
  });
});

describe("an export", () => {
  it("goes on without a file whose contents are lost, and names it", async () => {
    const { workbench } = await workbenchFixture();
    const { mounts, notices, storage } = workbench;
    const { liveTree } = mounts.getState();
    await liveTree().write("/work/whole.txt", "whole ".repeat(5_000));
    await liveTree().write("/work/lost.txt", "lost ".repeat(5_000));
    const lost = (await mounts.getState().currentSnapshot()).file("/work/lost.txt")?.hash ?? "";
    await storage.database.records.write(async (writer) => writer.put(["b", lost], new Uint8Array(3)));
    storage.database.contents.forgetPlaces();
    const file = await workbench.exportProject();
    expect(file?.contents.size).toBeGreaterThan(0);
    expect(notices.getState().notices.map(({ tone, text, details }) => [tone, text, details])).toEqual([
      [
        "warn",
        "The exported file holds all that could be read. Not in it:",
        ["/work/lost.txt: its contents cannot be read"],
      ],
    ]);
    await workbench.dispose();
  });
});
