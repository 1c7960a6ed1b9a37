import { expect, test } from "vitest";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { sessionFixture } from "../testing/sessionFixture";
import type { Tool } from "../tools";
import { sessionStateFromEvents } from "./reduceSession";

test("a call of a server's tool is logged as that connection's, and gated by the effect it declares", async () => {
  const calls: string[] = [];
  const served = (name: string, effect: Tool["effect"]): Tool => ({
    name: `mcp__notes__${name}`,
    description: name,
    inputSchema: { type: "object" },
    effect,
    native: false,
    mcp: { connection: "notes", tool: name },
    async execute() {
      calls.push(name);
      return { content: [{ type: "text", text: "served" }] };
    },
    modelText: () => "served",
  });
  const model = scriptedModel([
    {
      parts: [
        ...callParts("a", "mcp__notes__Read", { path: "/x" }),
        ...callParts("b", "mcp__notes__write", {}),
        ...callParts("c", "Read", { path: "/notes.md" }),
        finishPart("tool-calls"),
      ],
    },
    { parts: [...textParts("t", "ok"), finishPart("stop")] },
  ]);
  const session = await sessionFixture({ model, authoredTools: [served("Read", "read"), served("write", "write")] });
  const events = await session.run("go", { dryRun: true });

  const requested = events.find((event) => event.type === "actions.requested");
  const actions = requested?.type === "actions.requested" ? requested.data.actions : [];
  expect(actions.map(({ toolName, mcp }) => [toolName, mcp])).toEqual([
    ["mcp__notes__Read", { connection: "notes", tool: "Read" }],
    ["mcp__notes__write", { connection: "notes", tool: "write" }],
    ["Read", undefined],
  ]);
  expect(calls).toEqual(["Read"]);
  const { items } = sessionStateFromEvents(session.events);
  expect([items.get("a"), items.get("b"), items.get("c")]).toMatchObject([
    { mcp: { connection: "notes", tool: "Read" }, state: "completed" },
    { mcp: { connection: "notes", tool: "write" }, state: "completed", stub: true },
    { toolName: "Read", state: "completed" },
  ]);
});
