import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { finishPart, scriptedModel, textParts, type ScriptedStep } from "../testing/scriptedModel";
import { providerSearch } from "./providerSearch";

const never = new AbortController().signal;

function searcher(provider: string, steps: readonly ScriptedStep[]) {
  const model = { ...scriptedModel(steps), provider };
  return { model, search: providerSearch(model) };
}

const source = (url: string, title?: string): LanguageModelV4StreamPart => ({
  type: "source",
  sourceType: "url",
  id: url,
  url,
  ...(title === undefined ? {} : { title }),
});

it.each([
  ["openai.responses", "openai.web_search"],
  ["anthropic.messages", "anthropic.web_search_20250305"],
  ["google.generative-ai", "google.google_search"],
  ["xai.responses", "xai.web_search"],
])("lets a model of %s search with its own tool, and gathers its words and sources", async (provider, id) => {
  const parts = [
    ...textParts("t", "Two pages ", "say so."),
    source("https://a.example/", "A"),
    source("https://b.example/"),
    source("https://a.example/", "A again"),
    finishPart("stop"),
  ];
  const { model, search } = searcher(provider, [{ parts }]);
  expect(search?.name).toBe("scripted");
  expect(await search?.search("who says so", never)).toEqual({
    answer: "Two pages say so.",
    results: [
      { title: "A", url: "https://a.example/" },
      { title: "https://b.example/", url: "https://b.example/" },
    ],
  });
  const [request] = model.requests;
  expect(request?.tools).toMatchObject([{ type: "provider", id }]);
  expect(request?.prompt.at(-1)).toEqual({ role: "user", content: [{ type: "text", text: "who says so" }] });
});

it("has no search for a model that brings none", () => {
  expect(
    ["test", "openai.chat", "openaiCompatible.chat", "demo"].map((provider) => searcher(provider, []).search),
  ).toEqual([undefined, undefined, undefined, undefined]);
});

it("fails in the model's words, and stops when it is stopped", async () => {
  const failing = searcher("anthropic.messages", [{ throws: new Error("no such model") }]);
  await expect(failing.search?.search("x", never)).rejects.toMatchObject({
    name: "ModelError",
    message: expect.stringContaining("no such model"),
  });
  const stop = new AbortController();
  const hanging = searcher("anthropic.messages", [{ parts: textParts("t", "one"), hang: true }]);
  setTimeout(() => stop.abort(), 50);
  await expect(hanging.search?.search("x", stop.signal)).rejects.toMatchObject({ name: "AbortError" });
});
