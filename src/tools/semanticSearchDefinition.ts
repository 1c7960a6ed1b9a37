import { limits, type JsonObject } from "../base";
import { normalizeFsPath, type FileSystem } from "../fs";
import type { NativeDefinition } from "./nativeDefinition";
import { whileRunning } from "./stopping";
import type { ToolCall } from "./tool";
import type { Passage, SemanticSearchOutput } from "./toolOutputs";

export const semanticSearchDefinition: NativeDefinition = {
  name: "SemanticSearch",
  description:
    "Finds passages about something, best first, where the exact words are not known. For exact text use Grep.",
  effect: "read",
  verbs: ["search"],
  arguments: {
    query: { schema: { type: "string", description: "What to look for, in plain words." }, required: true },
    targetDirectories: {
      schema: {
        type: "array",
        items: { type: "string" },
        description: "Absolute paths of the directories to look in. The whole tree when omitted.",
      },
    },
    explanation: { schema: { type: "string", description: "Why this is looked for, in one sentence." } },
    numResults: {
      schema: {
        type: "integer",
        minimum: 1,
        description: `How many passages to show. ${limits.searchResults} when omitted.`,
      },
    },
  },
  run: searchPassages,
  modelText: passagesText,
};

async function searchPassages(tree: FileSystem, input: JsonObject, call: ToolCall): Promise<SemanticSearchOutput> {
  const wanted = (input["numResults"] as number | undefined) ?? limits.searchResults;
  const directories = input["targetDirectories"] as readonly string[] | undefined;
  const query = {
    query: input["query"] as string,
    // One more than shown tells whether there are more.
    maxResults: wanted + 1,
    ...(directories !== undefined && directories.length > 0 ? { paths: directories.map(normalizeFsPath) } : {}),
  };
  const results: Passage[] = [];
  for await (const { path, startLine, endLine, score, text } of whileRunning(tree.search(query), call.signal)) {
    if (results.length === wanted) return { results, more: true };
    results.push({ path, startLine, endLine, score, text });
  }
  return { results };
}

function passagesText(value: JsonObject): string | undefined {
  const { results, more } = value as SemanticSearchOutput;
  if (!Array.isArray(results)) return undefined;
  if (results.length === 0) return "(no matches)";
  const blocks = (results as readonly Passage[]).map(
    ({ path, startLine, endLine, score, text }) => `${path}:${startLine}-${endLine} (${score.toFixed(2)})\n${text}`,
  );
  const note = `[more passages: ask for them with numResults=${results.length * 2}]`;
  return [...blocks, ...(more === true ? [note] : [])].join("\n\n");
}
