import type { JsonObject, JsonValue } from "../../../base";

/** What a call of another program's tool does to files, in words of ours. Paths are as the call has them. */
export type ForeignOperation =
  /** Lines from `start` (from 1), `count` of them; the whole file where absent. */
  | { readonly kind: "read"; readonly path: string; readonly start?: number; readonly count?: number }
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "edit"; readonly path: string; readonly edits: readonly ForeignEdit[] }
  /** After line `line`, 0 for the beginning. */
  | { readonly kind: "insert"; readonly path: string; readonly line: number; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "patch"; readonly text: string }
  | { readonly kind: "list"; readonly path: string }
  | { readonly kind: "glob"; readonly pattern: string; readonly path?: string }
  | { readonly kind: "grep"; readonly input: JsonObject; readonly path?: string }
  | { readonly kind: "shell"; readonly command: string; readonly cwd?: string };

export interface ForeignEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}

/** The tool of ours that stands in for an operation. */
export const ranAsTool: Readonly<Record<ForeignOperation["kind"], string>> = {
  read: "Read",
  write: "Write",
  edit: "StrReplace",
  insert: "Write",
  delete: "Delete",
  patch: "Write",
  list: "LS",
  glob: "Glob",
  grep: "Grep",
  shell: "Shell",
};

type Parser = (input: JsonObject, inputText?: string) => ForeignOperation | undefined;

/**
 * File tools of other programs by their own names: Claude Code, Gemini CLI, Codex, opencode, OpenHands, SWE-agent, Cursor,
 * Pi, Copilot CLI. Where two programs use one name, their arguments tell them apart.
 */
const PARSERS: Readonly<Record<string, Parser>> = {
  // Claude Code, Cursor and ours.
  Read: (input) => read(input, lineNumber(input["offset"])),
  Write: write,
  Edit: edit,
  MultiEdit: multiEdit,
  StrReplace: edit,
  Delete: remove,
  Glob: glob,
  Grep: grep,
  LS: list,
  Bash: shell,
  Shell: shell,
  // Gemini CLI.
  read_file: (input) =>
    "target_file" in input || "should_read_entire_file" in input
      ? cursorRead(input)
      : read(input, fromZero(input["offset"])),
  write_file: write,
  replace: edit,
  glob,
  search_file_content: grep,
  grep_search: grep,
  list_directory: list,
  run_shell_command: shell,
  // Codex.
  apply_patch: patch,
  shell,
  shell_command: shell,
  exec_command: shell,
  "container.exec": shell,
  local_shell: shell,
  local_shell_call: shell,
  // opencode, Pi.
  read: (input) =>
    "filePath" in input ? read(input, fromZero(input["offset"])) : read(input, lineNumber(input["offset"])),
  write,
  edit,
  multiedit: multiEdit,
  grep,
  list,
  ls: list,
  patch,
  bash: shell,
  // OpenHands, SWE-agent, Anthropic.
  str_replace_editor: editor,
  file_editor: editor,
  str_replace_based_edit_tool: editor,
  str_replace_based_edit_tool_20250728: editor,
  execute_bash: shell,
  terminal: shell,
  run: shell,
  // Copilot CLI.
  view: (input) => editor({ command: "view", ...input }),
  create: (input) => editor({ command: "create", ...input }),
  str_replace: edit,
  insert: (input) => editor({ command: "insert", ...input }),
  // Cursor's older names.
  list_dir: list,
  search_replace: edit,
  delete_file: remove,
  file_search: glob,
  run_terminal_cmd: shell,
};

/** What a call does, where it is one this table knows and its arguments are usable; `undefined` else. */
export function foreignOperation(
  toolName: string,
  input: JsonObject,
  inputText?: string,
): ForeignOperation | undefined {
  const name = toolName.replace(/^(?:functions?|default_api|cli|repo_browser)[.:]/, "");
  return Object.hasOwn(PARSERS, name) ? PARSERS[name]?.(input, inputText) : undefined;
}

const PATH_NAMES =
  "file_path filePath path absolute_path absolutePath target_file targetFile relative_workspace_path filename file abs_path".split(
    " ",
  );
const DIRECTORY_NAMES =
  "path dir_path directory dir target_directory targetDirectory relative_workspace_path absolute_path".split(" ");

function read(input: JsonObject, start: number | undefined): ForeignOperation | undefined {
  const path = textOf(input, PATH_NAMES);
  const count = numberOf(input["limit"]);
  if (path === undefined) return undefined;
  return { kind: "read", path, ...(start === undefined ? {} : { start }), ...(count === undefined ? {} : { count }) };
}

function cursorRead(input: JsonObject): ForeignOperation | undefined {
  const path = textOf(input, PATH_NAMES);
  const first = numberOf(input["start_line_one_indexed"]);
  const last = numberOf(input["end_line_one_indexed_inclusive"]);
  if (path === undefined) return undefined;
  if (first === undefined || last === undefined || input["should_read_entire_file"] === true)
    return read(input, lineNumber(input["offset"]));
  return { kind: "read", path, start: first, count: last - first + 1 };
}

function write(input: JsonObject): ForeignOperation | undefined {
  const path = textOf(input, PATH_NAMES);
  const text = textOf(input, ["content", "contents", "file_text", "fileText", "text"]);
  return path === undefined || text === undefined ? undefined : { kind: "write", path, text };
}

function edit(input: JsonObject): ForeignOperation | undefined {
  if (Array.isArray(input["edits"])) return multiEdit(input);
  const path = textOf(input, PATH_NAMES);
  const one = editOf(input);
  if (path === undefined || one === undefined) return undefined;
  // An edit of nothing into something is how some of them create a file.
  return one.oldText === "" ? { kind: "write", path, text: one.newText } : { kind: "edit", path, edits: [one] };
}

function multiEdit(input: JsonObject): ForeignOperation | undefined {
  const path = textOf(input, PATH_NAMES);
  const listed = input["edits"];
  if (path === undefined || !Array.isArray(listed)) return undefined;
  const edits = (listed as readonly JsonValue[]).map((one) => (isObject(one) ? editOf(one) : undefined));
  if (edits.length === 0 || edits.some((one) => one === undefined)) return undefined;
  return { kind: "edit", path, edits: edits as ForeignEdit[] };
}

function editOf(input: JsonObject): ForeignEdit | undefined {
  const oldText = textOf(input, ["old_string", "oldString", "oldText", "old_text", "old_str"]);
  const newText = textOf(input, ["new_string", "newString", "newText", "new_text", "new_str"]);
  if (oldText === undefined) return undefined;
  const all = input["replace_all"] ?? input["replaceAll"] ?? input["allow_multiple"];
  const expected = numberOf(input["expected_replacements"]) ?? 1;
  return { oldText, newText: newText ?? "", all: all === true || expected > 1 };
}

function remove(input: JsonObject): ForeignOperation | undefined {
  const path = textOf(input, PATH_NAMES);
  return path === undefined ? undefined : { kind: "delete", path };
}

function patch(input: JsonObject, inputText?: string): ForeignOperation | undefined {
  const text = textOf(input, ["input", "patch", "patchText", "patch_text"]) ?? inputText;
  return text?.includes("*** Begin Patch") === true ? { kind: "patch", text } : undefined;
}

function list(input: JsonObject): ForeignOperation {
  return { kind: "list", path: textOf(input, DIRECTORY_NAMES) ?? "." };
}

function glob(input: JsonObject): ForeignOperation | undefined {
  const pattern = textOf(input, ["pattern", "globPattern", "glob_pattern", "query"]);
  if (pattern === undefined) return undefined;
  const path = textOf(input, DIRECTORY_NAMES);
  return { kind: "glob", pattern, ...(path === undefined ? {} : { path }) };
}

function grep(input: JsonObject): ForeignOperation | undefined {
  const pattern = textOf(input, ["pattern", "query"]);
  if (pattern === undefined) return undefined;
  const path = textOf(input, DIRECTORY_NAMES);
  const include = textOf(input, ["glob", "include", "include_pattern", "includePattern"]);
  const { pattern: _pattern, path: _path, ...rest } = input;
  return {
    kind: "grep",
    input: { ...rest, pattern, ...(include === undefined ? {} : { glob: include }) },
    ...(path === undefined ? {} : { path }),
  };
}

/** The editor of OpenHands, SWE-agent and Anthropic: one tool, its command an argument. */
function editor(input: JsonObject): ForeignOperation | undefined {
  const path = textOf(input, PATH_NAMES);
  if (path === undefined) return undefined;
  switch (input["command"]) {
    case "view": {
      const range = Array.isArray(input["view_range"]) ? (input["view_range"] as readonly JsonValue[]) : [];
      const [first, last] = [numberOf(range[0]), numberOf(range[1])];
      if (first === undefined) return { kind: "read", path };
      return {
        kind: "read",
        path,
        start: first,
        ...(last === undefined || last < first ? {} : { count: last - first + 1 }),
      };
    }
    case "create":
      return write(input);
    case "str_replace":
      return edit(input);
    case "insert": {
      const line = numberOf(input["insert_line"]);
      const text = textOf(input, ["new_str", "insert_text", "text"]);
      return line === undefined || text === undefined ? undefined : { kind: "insert", path, line, text };
    }
    // `undo_edit` needs the editor's own memory.
    default:
      return undefined;
  }
}

function shell(input: JsonObject, inputText?: string): ForeignOperation | undefined {
  const action = isObject(input["action"]) ? input["action"] : input;
  const given = action["command"] ?? action["cmd"] ?? action["script"] ?? inputText;
  const command = Array.isArray(given) ? commandOf(given as readonly JsonValue[]) : given;
  if (typeof command !== "string" || command.trim() === "") return undefined;
  const applied = patchIn(command);
  if (applied !== undefined) return { kind: "patch", text: applied };
  const cwd = textOf(action, ["workdir", "cwd", "working_directory", "workingDirectory", "directory", "dir_path"]);
  return { kind: "shell", command, ...(cwd === undefined ? {} : { cwd }) };
}

/** `["bash", "-lc", "cat a"]` is `cat a`; a list of words is quoted where it must be. */
function commandOf(words: readonly JsonValue[]): string | undefined {
  const texts = words.filter((word): word is string => typeof word === "string");
  if (texts.length !== words.length) return undefined;
  if (/^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(texts[0] ?? "") && /^-[a-z]*c$/.test(texts[1] ?? "")) return texts[2];
  return texts.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

/** A patch that is given to `apply_patch` in a here document, as Codex does. */
function patchIn(command: string): string | undefined {
  if (!/^\s*(?:cd\s+\S+\s*&&\s*)?apply_patch\b/.test(command)) return undefined;
  return /\*\*\* Begin Patch[\s\S]*?\*\*\* End Patch/.exec(command)?.[0];
}

function textOf(input: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (typeof value === "string") return value;
  }
  return undefined;
}

function numberOf(value: JsonValue | undefined): number | undefined {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

function lineNumber(value: JsonValue | undefined): number | undefined {
  const number = numberOf(value);
  return number === undefined || number < 1 ? undefined : number;
}

/** Counted from 0, as Gemini CLI and opencode do. */
function fromZero(value: JsonValue | undefined): number | undefined {
  const number = numberOf(value);
  return number === undefined || number < 1 ? undefined : number + 1;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
