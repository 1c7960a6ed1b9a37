import type { Intent } from "./intent";

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
    case "undo":
      return "take back the changes";
    case "unclear":
      return "ask what is meant";
    default:
      return intent.text;
  }
}

/** What is said where a folder is to be moved or copied. */
export function noFolderWords(keep: boolean): string {
  return `I do not ${keep ? "copy" : "move"} folders; name the files.`;
}
