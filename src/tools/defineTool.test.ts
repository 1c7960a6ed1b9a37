import { expect, test } from "vitest";
import { z } from "zod";
import { DiscoveryError, type JsonObject } from "../base";
import { toolCall } from "../testing/runTool";
import { defineTool } from "./defineTool";

z.config({ jitless: true });

test("A tool with a zod schema offers it as JSON Schema, parses by it and keeps unknown keys", async () => {
  const tool = defineTool({
    name: "query",
    description: "Queries.",
    inputSchema: z.object({ since: z.string(), limit: z.number().default(5) }),
    effect: "read",
    timeArgs: ["since"],
    execute: (input) => ({ ...input }),
  });
  expect(tool).toMatchObject({ name: "query", effect: "read", native: false, timeArgs: ["since"] });
  expect(tool.inputSchema).toMatchObject({
    type: "object",
    properties: { since: { type: "string" } },
    required: ["since"],
  });
  expect(await tool.execute({ since: "now", other: 1 }, toolCall())).toEqual({ since: "now", limit: 5, other: 1 });
  await expect(tool.execute({ since: 1 }, toolCall())).rejects.toMatchObject({
    code: "invalid-input",
    argument: "since",
    message: 'query: the argument "since": Invalid input: expected string, received number',
  });
});

test("A tool with a JSON Schema is checked by it", async () => {
  const tool = defineTool({
    name: "add",
    description: "Adds.",
    inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
    execute: async (input: JsonObject) => (input.a as number) + 1,
  });
  expect([tool.effect, tool.modelText(2, {}), tool.modelText("two", {})]).toEqual(["write", "2", "two"]);
  expect(await tool.execute({ a: 1 }, toolCall())).toBe(2);
  await expect(tool.execute({ a: "1" }, toolCall())).rejects.toThrow('add: the argument "a" must be a number, not "1"');
});

test("null reaches a tool where its schema allows it or does not name the key", async () => {
  const tool = defineTool({
    name: "set",
    description: "Sets.",
    inputSchema: {
      type: "object",
      properties: { a: { type: ["string", "null"] }, b: { type: "string" } },
      required: ["a"],
    },
    execute: (input) => input,
  });
  expect(await tool.execute({ a: null, b: null, c: null }, toolCall())).toEqual({ a: null, c: null });
});

test("Every fault is told at once", () => {
  const define = () =>
    defineTool({
      name: "Read",
      description: " ",
      inputSchema: { type: "string" },
      effect: "maybe" as never,
      execute: undefined as never,
    });
  expect(define).toThrow(DiscoveryError);
  try {
    define();
  } catch (error) {
    expect((error as DiscoveryError).faults.map(({ field, problem }) => `${field}: ${problem}`)).toEqual([
      "name: Read is a native file tool's name.",
      "description: It is missing.",
      "execute: It is not a function.",
      'effect: "maybe" is no effect.',
      "inputSchema: It does not describe an object.",
    ]);
  }
});

test("A time argument that is not in the schema is refused", () => {
  const tool = () =>
    defineTool({
      name: "q",
      description: "Queries.",
      inputSchema: { type: "object", properties: { since: { type: "string" } } },
      timeArgs: ["until"],
      execute: () => null,
    });
  expect(tool).toThrow("timeArgs: until is not in the input schema, so nothing would be checked.");
});
