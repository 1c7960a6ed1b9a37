import { limits } from "../base";
import { grepMatches } from "./grepMatches";
import { grepFileCounts } from "./grepFileCounts";
import { grepText } from "./grepText";
import type { NativeDefinition } from "./nativeDefinition";

export const grepDefinition: NativeDefinition = {
  name: "Grep",
  description:
    "Searches the contents of files with a regular expression, as ripgrep does. Escape what is meant literally, e.g. " +
    "`functionCall\\(`. Results come by path, then line.",
  effect: "read",
  verbs: ["grep"],
  arguments: {
    pattern: { schema: { type: "string", description: "The regular expression." }, required: true },
    path: {
      schema: {
        type: "string",
        description: "Absolute path of a directory or a file to search. The whole tree when omitted.",
      },
    },
    glob: {
      schema: {
        type: "string",
        description: "Only files that match, e.g. *.ts (at any depth) or src/**/*.ts; !*.md leaves out.",
      },
    },
    type: { schema: { type: "string", description: "Only files of a type by ripgrep's name, e.g. ts, py, md." } },
    outputMode: {
      schema: {
        type: "string",
        enum: ["content", "files", "count"],
        description: "content (when omitted): matching lines; files: paths only; count: matches a file.",
      },
      valueAliases: { files_with_matches: "files" },
    },
    contextBefore: lines("Lines to show before each match.", ["-B"]),
    contextAfter: lines("Lines to show after each match.", ["-A"]),
    context: lines("Lines to show before and after each match.", ["-C"]),
    caseInsensitive: {
      schema: { type: "boolean", description: "Ignore case. False when omitted." },
      aliases: ["-i"],
    },
    headLimit: {
      schema: {
        type: "integer",
        minimum: 1,
        description: `Results to show: matches, or files in the modes files and count. ${limits.grepHits} when omitted.`,
      },
    },
    offset: {
      schema: { type: "integer", minimum: 0, description: "Results to pass over before the first one shown." },
    },
    multiline: {
      schema: {
        type: "boolean",
        description:
          "Let the pattern span lines with \\n, \\s or [\\s\\S]; . still stops at a line's end. False when omitted.",
      },
    },
    sort: {
      schema: {
        type: "string",
        enum: ["path", "modified"],
        description: "What files are sorted by. path when omitted.",
      },
      valueAliases: { none: "path" },
    },
    sortAscending: {
      schema: { type: "boolean", description: "Sort upwards (a to z, oldest first). True when omitted." },
    },
  },
  run: (tree, input, call) =>
    input.outputMode === "files" || input.outputMode === "count"
      ? grepFileCounts(tree, input, call)
      : grepMatches(tree, input, call),
  modelText: grepText,
};

function lines(description: string, aliases: readonly string[]) {
  return { schema: { type: "integer", minimum: 0, description }, aliases };
}
