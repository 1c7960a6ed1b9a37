import { describe, expect, it } from "vitest";
import { limits } from "../base";
import { HostError, type ShellResult } from "../host";
import type { ScriptedCommand } from "../testing/scriptedHost";
import { until, workbenchFixture } from "../testing/workbenchFixture";

type RunCommand = (command: ScriptedCommand) => Promise<Partial<ShellResult>>;

async function terminalOf(runCommand: RunCommand, host: "embedded" | "webcontainer" = "embedded") {
  const { workbench } = await workbenchFixture({ runCommand, document: { host } });
  const terminal = await workbench.terminal();
  return { workbench, state: () => terminal.getState() };
}

describe("A person's terminal", () => {
  it("goes on where the shell ended up, whose own word of it is not shown", async () => {
    const asked: string[] = [];
    const { state } = await terminalOf(async ({ command, options }) => {
      asked.push(`${options.cwd}: ${command.split("\n")[0]}`);
      options.onOutput?.({ stream: "stdout", text: "seen\n\u001E/home/project/src" });
      return { stdout: "seen\n\u001E/home/project/src", exitCode: 3 };
    });
    await state().run("cd src; echo seen; false");
    await state().run("  ");
    await state().run("ls");
    expect(asked).toEqual(["/home/project: cd src; echo seen; false", "/home/project/src: ls"]);
    expect(state().blocks.map(({ output, exitCode }) => [output, exitCode])).toEqual([
      [[{ stream: "stdout", text: "seen\n" }], 3],
      [[{ stream: "stdout", text: "seen\n" }], 3],
    ]);
  });

  it("follows a lone cd where the shell does not say where it is, once that went well", async () => {
    const { state } = await terminalOf(
      async ({ command }) => ({ exitCode: command === "cd nowhere" ? 1 : 0 }),
      "webcontainer",
    );
    for (const command of ["cd src/app", "cd nowhere", "cd .. && ls"]) await state().run(command);
    expect(state().cwd).toBe("/home/project/src/app");
    await state().run("cd ..");
    expect(state().cwd).toBe("/home/project/src");
    await state().run("cd");
    expect(state().cwd).toBe("/home/project");
  });

  it("holds the end of a long output, and shows what comes while a command runs", async () => {
    let release = () => undefined as void;
    const running = new Promise<void>((resolve) => (release = resolve));
    const { state } = await terminalOf(async ({ options }) => {
      options.onOutput?.({ stream: "stdout", text: "a".repeat(limits.terminalCharacters) });
      options.onOutput?.({ stream: "stderr", text: "end" });
      await running;
      return { stdout: "head and tail", truncated: { totalBytes: 9, path: "/home/project/.agent/out/1.log" } };
    });
    const run = state().run("long");
    expect(state().blocks[0]?.isWaiting).toBe(true);
    await until(() => state().blocks[0]?.droppedCharacters === 3, "what came so far");
    expect(state().blocks[0]?.output.map(({ stream, text }) => [stream, text.length])).toEqual([
      ["stdout", limits.terminalCharacters - 3],
      ["stderr", 3],
    ]);
    expect([state().isRunning, state().blocks[0]?.isWaiting]).toEqual([true, false]);
    await state().run("second while one runs");
    release();
    await run;
    expect(state().blocks).toHaveLength(1);
    expect(state().blocks[0]).toMatchObject({
      isRunning: false,
      output: [{ stream: "stdout", text: "head and tail" }],
      droppedCharacters: 0,
      savedAt: "/home/project/.agent/out/1.log",
    });
  });

  it("lays on a command only what changed since it had its turn", async () => {
    const { state, workbench } = await terminalOf(async ({ options, disk }) => {
      await disk.write("/agent.txt", "by the command before");
      options.onStart?.();
      await workbench.mounts.getState().currentSnapshot();
      await disk.write("/own.txt", "own");
      return {};
    });
    await state().run("write own.txt");
    expect(state().blocks.map(({ changes }) => changes.map(({ path }) => path))).toEqual([["/home/project/own.txt"]]);
  });

  it("stops a command, remembers each once, and clears what has ended", async () => {
    let begun = 0;
    const { state } = await terminalOf(async ({ options: { signal } }) => {
      begun++;
      await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      return { exitCode: 130, end: "aborted" };
    });
    for (const [index, command] of ["a", "b", "a"].entries()) {
      const run = state().run(command);
      await until(() => begun > index, "the command to begin");
      state().stop();
      await run;
    }
    expect([state().history, state().blocks.map(({ end }) => end)]).toEqual([
      ["b", "a"],
      ["aborted", "aborted", "aborted"],
    ]);
    state().clear();
    expect(state().blocks).toEqual([]);
  });

  it("says why nothing was run", async () => {
    const { state, workbench } = await terminalOf(() =>
      Promise.reject(new HostError("storage", "The disk cannot be read.", { retry: true })),
    );
    await state().run("ls");
    expect(state().blocks.map(({ problem, exitCode }) => [problem, exitCode])).toEqual([
      ["The disk cannot be read.", undefined],
    ]);
    expect(workbench.project.getState().mounts.map(({ kind }) => kind)).toEqual(["idb", "memory", "host"]);
  });
});

describe("The host of a project", () => {
  it("is made for the disk that stands in the table, let go with it, and made anew when restarted", async () => {
    const { workbench } = await terminalOf(async () => ({}));
    const host = await workbench.host();
    const states: string[] = [];
    host.state.subscribe(({ status }) => states.push(status.state));
    await host.boot();
    expect(host.state.getState().status).toEqual({ state: "ready" });
    await host.restart();
    expect(states).toEqual(["idle", "ready", "idle", "idle", "ready"]);
    expect(host.state.getState().status).toEqual({ state: "ready" });
    await host.choose("webcontainer");
    expect([host.state.getState().kind, host.state.getState().status]).toEqual(["webcontainer", { state: "idle" }]);
    const id = workbench.project.getState().mounts.find(({ kind }) => kind === "host")?.id ?? "";
    await workbench.mounts.getState().removeMount(id);
    await expect(host.shell("ls")).rejects.toMatchObject({ code: "storage" });
    expect(host.state.getState().status).toMatchObject({ state: "failed", code: "storage", retry: true });
    await host.boot();
    expect(host.state.getState().status).toEqual({ state: "ready" });
  });
});
