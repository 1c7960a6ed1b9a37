import { expect, test } from "vitest";
import type { JsonValue } from "../base";
import type { Host, ShellResult } from "../host";
import { toolCall } from "../testing/runTool";
import { shellTool } from "./shellTool";

const RESULT: ShellResult = { stdout: "a\n", stderr: "", exitCode: 0, end: "exit" };

/** A clock that moves a second whenever it is read. */
function ticking(): () => number {
  let now = 0;
  return () => (now += 1_000);
}

function toolOf(shell: Host["shell"], sandbox = false) {
  return shellTool({ shell, cwd: "/home/project/app", mount: "/home/project", sandbox, clock: ticking() });
}

test("A command runs in the session's directory, or in the one it names, with its time and what is hardened", async () => {
  const asked: unknown[] = [];
  const shell: Host["shell"] = async (command, options = {}) => {
    const { onOutput: _heard, signal: _signal, ...rest } = options;
    asked.push([command, rest]);
    return RESULT;
  };
  const served: unknown[] = [];
  const call = { ...toolCall(), served: (one: unknown) => void served.push(one) };
  const tool = toolOf(shell);
  expect(await tool.execute({ command: "ls" }, call)).toEqual({
    exitCode: 0,
    signal: null,
    stdout: "a\n",
    stderr: "",
    executionTime: 1_000,
  });
  await tool.execute({ command: "ls", cwd: "src", timeout: 5 }, call);
  await toolOf(shell, true).execute({ command: "ls", working_directory: "/home/project" }, call);
  expect(asked).toEqual([
    ["ls", { cwd: "/home/project/app" }],
    ["ls", { cwd: "/home/project/app/src", timeoutMs: 5 }],
    ["ls", { cwd: "/home/project", sandbox: true }],
  ]);
  expect(served[1]).toEqual({ mount: "/home/project", path: "/home/project/app/src", verb: "shell" });
});

test.each([
  [{}, "a"],
  [{ exitCode: 2, stderr: "no\n" }, "a\nno\nexit code 2"],
  [{ end: "timeout", exitCode: 124 }, "a\n[timed out after 1000 ms and was ended]\nexit code 124"],
  [{ end: "host-lost", exitCode: 130 }, "a\n[the host was lost while it ran]\nexit code 130"],
  [
    { truncated: { totalBytes: 90_000, path: "/home/project/.agent/out/1.log" } },
    "a\n[90000 bytes in all, head and tail shown; all of it is in /home/project/.agent/out/1.log: use Read or Grep on that path]",
  ],
  [{ truncated: { totalBytes: 90_000 } }, "a\n[90000 bytes in all, head and tail shown; the rest is not kept]"],
] satisfies [Partial<ShellResult>, string][])("A command that ends as %j reads %j", async (more, text) => {
  const tool = toolOf(() => Promise.resolve({ ...RESULT, ...more }));
  expect(tool.modelText(await tool.execute({ command: "x" }, toolCall()), {})).toBe(text);
});

test("What is printed meanwhile is told now and then, its end only", async () => {
  const told: JsonValue[] = [];
  const times = [0, 0, 100, 600, 700];
  const tool = shellTool({
    shell: async (_command, { onOutput } = {}) => {
      onOutput?.({ stream: "stdout", text: "1" });
      onOutput?.({ stream: "stderr", text: "2" });
      onOutput?.({ stream: "stdout", text: "😀".repeat(2_500) });
      return RESULT;
    },
    cwd: "/home/project",
    mount: "/home/project",
    clock: () => times.shift() ?? 0,
  });
  await tool.execute({ command: "x" }, { ...toolCall(), report: (partial) => void told.push(partial) });
  expect(told).toEqual([
    { stdout: "1", stderr: "" },
    { stdout: "😀".repeat(2_000), stderr: "2" },
  ]);
});

test("A stopped command throws as a stop does, once the host has ended it; a host that cannot run throws its own words", async () => {
  const stop = new AbortController();
  const stopped = toolOf(async (_command, { signal } = {}) => {
    await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
    return { ...RESULT, end: "aborted", exitCode: 130 };
  }).execute({ command: "sleep 100" }, toolCall(stop.signal));
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
  const busy = new Error("Another tab runs it.");
  await expect(toolOf(() => Promise.reject(busy)).execute({ command: "x" }, toolCall())).rejects.toBe(busy);
  await expect(toolOf(() => Promise.resolve(RESULT)).execute({ timeout: 1 }, toolCall())).rejects.toMatchObject({
    name: "ToolInputError",
  });
});
