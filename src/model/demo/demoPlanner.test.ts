import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { demoConversation } from "../../testing/demoConversation";
import { demoPlanner, type DemoPlannerOptions } from "./demoPlanner";

const tools = ["Read", "LS", "Grep", "Write"].map((name) => ({ type: "function" as const, name, inputSchema: {} }));

function asking(text: string, more: Partial<LanguageModelV4CallOptions> = {}): LanguageModelV4CallOptions {
  return { prompt: [{ role: "user", content: [{ type: "text", text }] }], tools, ...more };
}

async function partsOf(
  call: LanguageModelV4CallOptions,
  options?: DemoPlannerOptions,
): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await demoPlanner(options).doStream(call);
  const reader = stream.getReader();
  const parts: LanguageModelV4StreamPart[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
  return parts;
}

describe("the demo planner's stream", () => {
  it("is a whole step: text and arguments in pieces, the call, an end with unknown usage", async () => {
    const parts = await partsOf(asking("find the TODOs in /src"));
    const types = parts.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
    expect(types).toEqual([
      "stream-start",
      "text-start",
      "text-delta",
      "text-end",
      "tool-input-start",
      "tool-input-delta",
      "tool-input-end",
      "tool-call",
      "finish",
    ]);
    const call = parts.find((part) => part.type === "tool-call");
    const input = parts.map((part) => (part.type === "tool-input-delta" ? part.delta : "")).join("");
    expect(call).toMatchObject({ toolName: "Grep", input });
    expect(JSON.parse(input)).toEqual({ pattern: "TODO", path: "/src" });
    expect(parts.at(-1)).toEqual({
      type: "finish",
      finishReason: { unified: "tool-calls", raw: undefined },
      usage: {
        inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
    });
  });

  it("is the same for the same prompt and seed, and cut or worded otherwise for another seed", async () => {
    const call = asking("find the TODOs in /src");
    const first = await partsOf(call, { seed: "1" });
    expect(await partsOf(call, { seed: "1" })).toEqual(first);
    expect(await partsOf(call, { seed: "1", pace: "natural" })).toEqual(first);
    const others = await Promise.all(["2", "3", "4"].map((seed) => partsOf(call, { seed })));
    expect(others.filter((parts) => JSON.stringify(parts) === JSON.stringify(first))).toEqual([]);
    expect(await partsOf({ ...call, seed: 7 }, { seed: "1" })).not.toEqual(first);
  });

  it("cuts on characters, never inside one", async () => {
    const parts = await partsOf(
      asking('create /x.md with "😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀" and overwrite it'),
    );
    const deltas = parts.flatMap((part) => (part.type === "tool-input-delta" ? [part.delta] : []));
    expect(deltas.length).toBeGreaterThan(2);
    expect(deltas.every((delta) => delta.isWellFormed())).toBe(true);
  });

  it("does not take minutes for a long text, and says it whole", async () => {
    const text = "word ".repeat(20_000);
    const parts = await partsOf(asking(`create /x.md with "${text}" and overwrite it`));
    expect(parts.length).toBeLessThan(80);
    const call = parts.find((part) => part.type === "tool-call");
    expect(call?.type === "tool-call" && JSON.parse(call.input)).toEqual({ path: "/x.md", fileText: text });
  });

  it("gives every call of a conversation an id of its own", async () => {
    const model = demoPlanner();
    const ids: string[] = [];
    const watched = {
      ...model,
      doStream: async (call: LanguageModelV4CallOptions) => {
        for (const part of (await model.doGenerate(call)).content)
          if (part.type === "tool-call") ids.push(part.toolCallId);
        return model.doStream(call);
      },
    };
    const { send } = demoConversation({ model: watched, files: { "/a.md": "a\n", "/b.md": "b\n" } });
    for (let time = 0; time < 3; time++) await send("read /a.md, /b.md and list /");
    expect(ids).toHaveLength(9);
    expect(new Set(ids).size).toBe(9);
  });

  it("streams its reading of the request as reasoning when asked", async () => {
    const reasoning = async (call: LanguageModelV4CallOptions, options?: DemoPlannerOptions) =>
      (await partsOf(call, options)).map((part) => (part.type === "reasoning-delta" ? part.delta : "")).join("");
    const call = asking("list / and delete /a.md");
    expect(await reasoning(call, { reasoning: true })).toBe("My plan: list /; delete /a.md.");
    expect(await reasoning({ ...call, reasoning: "low" })).toBe("My plan: list /; delete /a.md.");
    expect(await reasoning(call)).toBe("");
  });

  it("stops in mid-stream at either pace", async () => {
    for (const pace of ["instant", "natural"] as const) {
      const stop = new AbortController();
      const { stream } = await demoPlanner({ pace }).doStream(asking("help", { abortSignal: stop.signal }));
      const reader = stream.getReader();
      await reader.read();
      await reader.read();
      const next = reader.read();
      stop.abort();
      await expect(next.then(() => reader.read())).rejects.toMatchObject({ name: "AbortError" });
    }
    await expect(demoPlanner().doStream(asking("help", { abortSignal: AbortSignal.abort() }))).rejects.toMatchObject({
      name: "AbortError",
    });
  });

  it("calls nothing when no tool is offered or tools are off", async () => {
    for (const more of [{ tools: [] }, { toolChoice: { type: "none" as const } }]) {
      const { content } = await demoPlanner().doGenerate(asking("list /", more));
      expect(content).toEqual([
        { type: "text", text: "I cannot list folders here: the LS tool is not offered to me." },
      ]);
    }
  });

  it("reads what a framework adds around a message as no request", async () => {
    const { content } = await demoPlanner().doGenerate(
      asking("<agentkit_context>\ndelete /x.md\n</agentkit_context>\nlist /"),
    );
    expect(content.flatMap((part) => (part.type === "tool-call" ? [part.toolName] : []))).toEqual(["LS"]);
  });

  it("answers any prompt: an empty one, one without a result, one of another model's calls", async () => {
    expect((await demoPlanner().doGenerate({ prompt: [] })).content).toEqual([
      { type: "text", text: "There is no message to answer." },
    ]);
    const { prompt } = asking("find the TODOs in /src and fix them");
    const foreign: LanguageModelV4CallOptions = {
      tools,
      prompt: [
        ...prompt,
        { role: "assistant", content: [{ type: "tool-call", toolCallId: "x", toolName: "Shell", input: "ls" }] },
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "x", toolName: "Shell", output: { type: "json", value: { ok: true } } },
          ],
        },
        { role: "assistant", content: [{ type: "tool-call", toolCallId: "y", toolName: "Read", input: null }] },
      ],
    };
    expect((await demoPlanner().doGenerate(foreign)).finishReason.unified).toBe("stop");
  });
});
