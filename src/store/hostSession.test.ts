import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../session";
import { callParts, finishPart, scriptedModel, textParts, type ScriptedModel } from "../testing/scriptedModel";
import type { ScriptedCommand } from "../testing/scriptedHost";
import { until, workbenchFixture, type WorkbenchFixture } from "../testing/workbenchFixture";
import type { AgentDocument } from "./projectDocument";
import { importedProject } from "./projectFiles";

const says = (text: string) => ({ parts: [...textParts("t", text), finishPart("stop")] });
const calls = (...made: readonly (readonly [id: string, tool: string, input: object])[]) => ({
  parts: [...made.flatMap(([id, tool, input]) => callParts(id, tool, input)), finishPart("tool-calls")],
});
const agent: AgentDocument = {
  name: "Host agent",
  instructions: "Work.",
  runtime: { kind: "local", workspace: "host" },
};

/** Knows `put PATH TEXT` and `show PATH`. */
async function runCommand({ command: line, disk }: ScriptedCommand) {
  const [command = ""] = line.split("\n");
  const [verb, path = "", ...words] = command.split(" ");
  if (verb === "put") await disk.write(path, words.join(" "));
  if (verb === "show") return { stdout: String(await disk.read(path)) };
  return verb === "put" ? {} : { stderr: `${verb}: command not found\n`, exitCode: 127 };
}

async function hostFixture(model: ScriptedModel, more: Partial<AgentDocument> = {}): Promise<WorkbenchFixture> {
  return await workbenchFixture({ model, document: { agent: { ...agent, ...more } }, runCommand });
}

function resultsOf(events: readonly SessionEvent[]) {
  return events.flatMap((event) => (event.type === "action.result" ? [event.data] : []));
}

describe("An agent on the host", () => {
  it("has a disk of its own among the mounts; Shell and file tools see each other's writes, each with its own changes", async () => {
    const model = scriptedModel([
      calls(
        ["c1", "Shell", { command: "put /a.txt by the shell" }],
        ["c2", "Read", { path: "a.txt" }],
        ["c3", "Write", { path: "/home/project/b.txt", fileText: "by Write" }],
        ["c4", "Shell", { command: "show /b.txt" }],
      ),
      says("Done."),
    ]);
    const { workbench } = await hostFixture(model);
    await workbench.session.getState().send("go");
    const results = resultsOf(workbench.session.getState().events());
    expect(results.map(({ result, changes = [] }) => [result.callId, changes.map(({ path }) => path)])).toEqual([
      ["c1", ["/home/project/a.txt"]],
      ["c2", []],
      ["c3", ["/home/project/b.txt"]],
      ["c4", []],
    ]);
    expect(results[0]?.served).toEqual([{ mount: "/home/project", path: "/home/project", verb: "shell" }]);
    expect(results[3]?.result.output).toMatchObject({ stdout: "by Write", exitCode: 0, signal: null });
    expect(await workbench.session.getState().callOutputText("c2")).toBe("     1|by the shell");
    expect(workbench.project.getState().mounts.map(({ prefix, kind }) => [prefix, kind])).toEqual([
      ["/work", "idb"],
      ["/notes", "memory"],
      ["/home/project", "host"],
    ]);
    const { started } = workbench.session.getState().session;
    expect(started?.playground?.mounts).toEqual([{ prefix: "/home/project", kind: "host", readOnly: false }]);
    expect(started?.playground?.tools.map(({ name }) => name).join(" ")).toBe(
      "Read LS Grep Glob Write StrReplace Delete Shell webSearch webFetch updateTodos readTodos task",
    );
  });

  it("is told its directory and nothing of mounts; skills of other mounts are put where it can read them", async () => {
    const model = scriptedModel([says("Done.")]);
    const { workbench } = await hostFixture(model, {
      runtime: { kind: "local", workspace: "host", options: { workspaceDir: "app" } },
      tools: ["read", "shell"],
    });
    const tree = workbench.mounts.getState().liveTree();
    await tree.write("/work/skills/audit/SKILL.md", "---\nname: audit\ndescription: Audits.\n---\nLook.\n");
    await workbench.session.getState().send("go");
    const system = JSON.stringify(model.requests[0]?.prompt[0]);
    expect(system).toContain("Workspace Path: /home/project/app");
    expect(system).toContain("- audit: Audits. (/home/project/app/.cursor/skills/audit/SKILL.md)");
    expect(system).not.toContain("no shell");
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["Read", "Shell"]);
    const written = await workbench.mounts
      .getState()
      .liveTree()
      .read("/home/project/app/.cursor/skills/audit/SKILL.md");
    expect(written).toContain("Look.");
  });

  it("writes nothing in a dry run, skills neither, and asks once for a command", async () => {
    const model = scriptedModel([calls(["c1", "Shell", { command: "put /a.txt x" }]), says("Done."), says("Again.")]);
    const { workbench } = await hostFixture(model);
    const tree = workbench.mounts.getState().liveTree();
    await tree.write("/work/skills/audit/SKILL.md", "---\nname: audit\ndescription: Audits.\n---\nLook.\n");
    workbench.session.getState().setDryRun(true);
    await workbench.session.getState().send("go");
    await workbench.session.getState().send("again");
    expect(model.requests.map(({ prompt }) => JSON.stringify(prompt[0]).includes("audit"))).toEqual([
      false,
      false,
      false,
    ]);
    expect((await tree.stat("/home/project/.cursor")).kind).toBe("missing");
    expect(resultsOf(workbench.session.getState().events()).map(({ stub, changes }) => [stub, changes])).toEqual([
      [true, undefined],
    ]);

    const asking = scriptedModel([calls(["c1", "Shell", { command: "put /a.txt x" }]), says("Done.")]);
    const { workbench: second } = await hostFixture(asking, { approvals: "writes" });
    await second.session.getState().send("go");
    expect(second.session.getState().session.pendingRequests.map(({ prompt }) => prompt)).toEqual(["Allow Shell?"]);
    await second.session.getState().answer("c1", { kind: "approve" });
    await until(() => second.session.getState().session.status === "ready", "the end of the turn");
    expect(resultsOf(second.session.getState().events()).map(({ changes }) => changes?.length)).toEqual([1]);
  });

  it("is held to a disk that is read-only, its commands too", async () => {
    const readOnly: (boolean | undefined)[] = [];
    const { workbench } = await workbenchFixture({
      model: scriptedModel([
        calls(["c1", "Shell", { command: "ls" }], ["c2", "Write", { path: "a", fileText: "a" }]),
        says("Done."),
      ]),
      document: { agent },
      runCommand: async ({ options }) => {
        readOnly.push(options.readOnly);
        return {};
      },
    });
    await (await workbench.host()).ensureDisk();
    const id = workbench.project.getState().mounts.find(({ kind }) => kind === "host")?.id ?? "";
    await workbench.mounts.getState().editMount(id, { readOnly: true });
    await workbench.mounts.getState().liveTree().write("/work/skills/audit/SKILL.md", "Look.");
    await workbench.session.getState().send("go");
    expect(readOnly).toEqual([true]);
    expect(
      resultsOf(workbench.session.getState().events()).map(({ status, error }) => [status, error?.message]),
    ).toEqual([
      ["completed", undefined],
      ["failed", "read-only mount: /home/project/a"],
    ]);
  });

  it("cannot begin where there is no host, which is said", async () => {
    const { workbench } = await workbenchFixture({ model: scriptedModel([says("Done.")]), document: { agent } });
    await workbench.session.getState().send("go");
    expect(workbench.notices.getState().notices.map(({ text }) => text)).toContain(
      "The message was not sent: There is no host here.",
    );
  });
});

describe("The terminal", () => {
  it("runs a person's commands on the same disk; what they change is told to the session, and undone like any edit", async () => {
    const model = scriptedModel([says("Hello."), says("Again.")]);
    const { workbench } = await hostFixture(model);
    await workbench.session.getState().send("go");
    const terminal = await workbench.terminal();
    await terminal.getState().run("put /c.txt by hand");
    await terminal.getState().run("nonsense");
    expect(
      terminal.getState().blocks.map(({ command, exitCode, changes, output, cwd }) => ({
        command,
        exitCode,
        changed: changes.map(({ path }) => path),
        output,
        cwd,
      })),
    ).toEqual([
      {
        command: "put /c.txt by hand",
        exitCode: 0,
        changed: ["/home/project/c.txt"],
        output: [],
        cwd: "/home/project",
      },
      {
        command: "nonsense",
        exitCode: 127,
        changed: [],
        output: [{ stream: "stderr", text: "nonsense: command not found\n" }],
        cwd: "/home/project",
      },
    ]);
    await until(
      () =>
        workbench.session
          .getState()
          .events()
          .some(({ type }) => type === "tree.changed"),
      "the session to be told",
    );
    const told = workbench.session
      .getState()
      .events()
      .flatMap((event) => (event.type === "tree.changed" ? [event.data] : []));
    expect(told.map(({ reason, changes }) => [reason, changes.map(({ path }) => path)])).toEqual([
      ["edit", ["/home/project/c.txt"]],
    ]);
    expect(terminal.getState().history).toEqual(["put /c.txt by hand", "nonsense"]);
  });
});

describe("A comparison of agents on the host", () => {
  it("gives every run a copy of the disk and a host of its own, and leaves nothing behind", async () => {
    const step = calls(["c1", "Shell", { command: "put /a.txt by an arm" }], ["c2", "Read", { path: "kept.txt" }]);
    const { workbench } = await hostFixture(scriptedModel([step, says("A."), step, says("B.")]));
    const { project, mounts, compare } = workbench;
    await (await workbench.host()).ensureDisk();
    await mounts.getState().liveTree().write("/home/project/kept.txt", "kept");
    project.getState().changeCompare({ concurrency: 1, prompts: ["go"] });
    const disks = await workbench.storage.diskIds();
    await compare.getState().run();
    expect(compare.getState().pairs.map(({ a, b }) => [a.state, b.state])).toEqual([["completed", "completed"]]);
    expect(compare.getState().files?.map(({ path, a, b, isSame }) => [path, a, b, isSame])).toEqual([
      ["/home/project/a.txt", "added", "added", true],
    ]);
    expect((await mounts.getState().liveTree().stat("/home/project/a.txt")).kind).toBe("missing");
    expect([await workbench.storage.diskIds(), project.getState().removedDisks]).toEqual([disks, []]);
  });

  it("is refused on WebContainer, of which there is one", async () => {
    const { workbench } = await hostFixture(scriptedModel([]));
    workbench.project.getState().change({ host: "webcontainer" });
    await workbench.compare.getState().run();
    expect(workbench.notices.getState().notices.map(({ text }) => text)).toEqual([
      "The comparison did not run: each arm needs a host of its own, and there is one WebContainer only. Choose the simulated bash in the form of the agent.",
    ]);
  });
});

describe("A project with a host disk", () => {
  it("keeps its files in an export, an import and a copy, and over another kind of host; only one disk is let in", async () => {
    const { workbench, catalog, projectId } = await hostFixture(scriptedModel([]));
    const { mounts, project } = workbench;
    await (await workbench.host()).ensureDisk();
    const add = (prefix: string, kind: "host" | "memory") =>
      mounts.getState().addMount({ prefix, kind, readOnly: false });
    expect([await add("/home/project", "host"), await add("/disk", "host")]).toEqual([
      "There is a mount at /home/project already.",
      "The host disk stands at /home/project, where its commands find it.",
    ]);
    const id = project.getState().mounts.find(({ kind }) => kind === "host")?.id ?? "";
    expect(await mounts.getState().editMount(id, { prefix: "/elsewhere" })).toBe(
      "The host disk stands at /home/project, where its commands find it.",
    );
    await (await workbench.terminal()).getState().run("put /kept.txt words");
    await (await workbench.host()).choose("webcontainer");
    const read = (tree: Pick<typeof workbench, "mounts">) =>
      tree.mounts.getState().liveTree().read("/home/project/kept.txt");
    expect(await read(workbench)).toBe("words");
    const exported = await workbench.exportProject();
    const imported = await importedProject(catalog, exported?.contents ?? new Blob(), () => 1);
    expect(imported.losses).toEqual([]);
    const copy = await catalog.duplicate(projectId, "Copy");
    for (const { id: otherId } of [imported, copy]) {
      const other = await workbenchFixture({
        from: { workbench, catalog, projectId: otherId, useModel: () => undefined },
        runCommand,
      });
      expect(await read(other.workbench)).toBe("words");
      expect(other.workbench.project.getState().host).toBe("webcontainer");
      await (await other.workbench.terminal()).getState().run("put /kept.txt changed");
      expect([await read(other.workbench), await read(workbench)]).toEqual(["changed", "words"]);
    }
  });

  it("takes copies of the other mounts' files, each below its own path", async () => {
    const { workbench } = await hostFixture(scriptedModel([]));
    const host = await workbench.host();
    await host.ensureDisk();
    await workbench.mounts.getState().liveTree().write("/work/docs/a.md", "a");
    expect(await host.copyMounts()).toBe(1);
    expect(await workbench.mounts.getState().liveTree().read("/home/project/work/docs/a.md")).toBe("a");
  });
});
