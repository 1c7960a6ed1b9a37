import { DEMO_MODEL_NAME } from "../modelSettings";
import type { Intent } from "./intent";

/** What the planner says of itself when asked, or when it understood nothing. */
export const DEMO_HELP = [
  `I am the ${DEMO_MODEL_NAME}: I follow rules and understand requests such as these, also joined by “and” or “then”:`,
  "",
  "- list /src · read /README.md · summarise /docs",
  "- find the TODOs in /src · where is createStore defined? · find all markdown files",
  "- how many files are in /src · how many TODOs are in /src",
  '- replace "a" with "b" in /file.txt · rename oldName to newName in /src',
  "- fix the TODO about reopening in /src · note it in the changelog",
  '- create /notes.md with "text" · append "text" to /notes.md · delete /notes.md',
  "- run `ls` (where a shell is offered)",
  '- [[tool:Read {"path":"/README.md"}]] makes exactly this call',
].join("\n");

/** An intent in a few words, for a plan told beforehand and for what was left undone. */
export function intentWords(intent: Intent): string {
  switch (intent.kind) {
    case "list":
      return `list ${intent.path ?? "the folder"}`;
    case "read":
      return `read ${intent.paths.join(", ")}`;
    case "find":
    case "findFiles":
      return `find ${intent.label}`;
    case "countFiles":
    case "countMatches":
      return `count ${intent.label || "the files"}`;
    case "renameSymbol":
    case "moveFile":
      return `rename ${intent.from} to ${intent.to}`;
    case "replace":
      return `replace “${intent.oldText}” with “${intent.newText}”`;
    case "fixTodos":
      return intent.topic === "" ? "fix the TODOs" : `fix the TODO about ${intent.topic}`;
    case "create":
      return `write ${intent.path}`;
    case "append":
      return `add to ${intent.path}`;
    case "note":
      return "note it in the changelog";
    case "delete":
      return `delete ${intent.paths.join(", ")}`;
    case "summarise":
      return `summarise ${intent.name ?? (intent.paths.join(", ") || "what was read")}`;
    case "run":
      return `run ${intent.command}`;
    case "help":
      return "say what I can do";
    case "unclear":
      return "ask what is meant";
    default:
      return intent.text;
  }
}
