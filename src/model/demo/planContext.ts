import { limits, type JsonObject, type Random } from "../../base";
import type { CallOutcome, KnownMount } from "./conversation";
import type { Directives } from "./directives";
import { PlanStop, type Plan, type PlannedCall } from "./plan";
import type { Hit, ReadLines } from "./toolTexts";

/** One thing to tell at the end. */
export interface Note {
  readonly text: string;
  readonly details?: readonly string[];
  /** Details there are beyond those given. */
  readonly hidden?: number;
}

/** A change made in this request, in words for a changelog. */
export interface MadeChange {
  readonly path: string;
  readonly words: string;
}

export interface Findings {
  readonly label: string;
  readonly pattern: string;
  readonly path: string;
  readonly hits: readonly Hit[];
  readonly more: number | undefined;
}

/** The tools that change something. */
export const WRITES: ReadonlySet<string> = new Set(["Write", "StrReplace", "Delete", "Shell"]);

/** What one run of a plan knows and may do. Built anew for every step, filled by the outcomes of the steps before. */
export class PlanContext {
  readonly offered: ReadonlySet<string>;
  readonly directives: Directives;
  readonly random: Random;
  readonly notes: Note[] = [];
  /** What was read, by path; an edit made here is made there too. */
  readonly reads = new Map<string, ReadLines>();
  /** What was read for requests before this one. */
  readonly earlierReads = new Map<string, ReadLines>();
  readonly changes: MadeChange[] = [];
  /** Lines added to files in this request, by path. */
  readonly added = new Map<string, { readonly lines: number; readonly atStart: boolean }>();
  /** Paths looked at, with line numbers, for an answer that cites. */
  readonly sources = new Set<string>();
  readonly searched = new Set<string>();
  readonly listed = new Set<string>();
  findings: Findings | undefined;
  /** The changes of the newest request that made any, before this one. */
  earlierWrites: readonly CallOutcome[] = [];
  readonly mounts: readonly KnownMount[];
  /** The file or folder the person named last in this request. */
  named: string | undefined;
  /** The folder later clauses mean when they name none. */
  scope: string | undefined;
  lastPath: string | undefined;
  /** What the request is about beyond the pattern searched for; helps to choose what to read. */
  topic = "";
  #made = 0;
  #steps = 0;
  #isDryRun = false;
  readonly #confirmed: boolean;

  constructor(options: {
    readonly offered: ReadonlySet<string>;
    readonly directives: Directives;
    readonly random: Random;
    /** The person has said yes to the changes asked about. */
    readonly confirmed: boolean;
    readonly mounts: readonly KnownMount[];
  }) {
    this.mounts = options.mounts;
    this.offered = options.offered;
    this.directives = options.directives;
    this.random = options.random;
    this.#confirmed = options.confirmed;
  }

  has(toolName: string): boolean {
    return this.offered.has(toolName);
  }

  /** Some change so far was not carried out, since the session is a dry run. */
  get isDryRun(): boolean {
    return this.#isDryRun;
  }

  /** Something to tell at the end; the same words once. */
  note(text: string, details?: readonly string[], hidden = 0): void {
    if (details === undefined && this.notes.some((note) => note.text === text)) return;
    this.notes.push(details && details.length > 0 ? { text, details, hidden } : { text });
  }

  /** One of several ways to say a thing, by the seed. */
  say(...variants: readonly string[]): string {
    return variants[Math.floor(this.random() * variants.length)] ?? "";
  }

  *call(toolName: string, input: JsonObject, text = ""): Plan<CallOutcome> {
    const [outcome] = yield* this.callAll([{ toolName, input }], text);
    return outcome ?? { toolName, input, text: "no result", failed: true, denied: false };
  }

  /**
   * Makes calls in one step; fewer when the instructions allow no more.
   * @throws PlanStop
   */
  *callAll(calls: readonly PlannedCall[], text = ""): Plan<readonly CallOutcome[]> {
    for (const call of calls) this.#check(call);
    const left = (this.directives.maxCalls ?? Number.POSITIVE_INFINITY) - this.#made;
    if (left <= 0) {
      throw new PlanStop("budget", `I stopped after ${plural(this.#made, "call")}: the instructions allow no more.`);
    }
    // The last step is for the answer.
    if (this.#steps >= limits.turnSteps - 2) {
      throw new PlanStop("budget", `I stopped after ${this.#steps} steps: ask me again to go on.`);
    }
    const made = calls.slice(0, left);
    this.#made += made.length;
    this.#steps += 1;
    const outcomes = yield { text, calls: made };
    this.#isDryRun ||= outcomes.some(({ stubbed }) => stubbed === true);
    return outcomes;
  }

  #check({ toolName, input }: PlannedCall): void {
    if (!this.offered.has(toolName)) throw new PlanStop("refused", refusal(toolName));
    if (!WRITES.has(toolName)) return;
    const path = typeof input === "string" ? "" : pathOf(input);
    const { neverWrite, neverDelete, forbiddenPaths, allowedPaths, confirmFirst } = this.directives;
    if (neverWrite) throw new PlanStop("refused", "I changed nothing: the instructions say never to write.");
    if (neverDelete && toolName === "Delete") {
      throw new PlanStop("refused", "I deleted nothing: the instructions say never to delete.");
    }
    const forbidden =
      forbiddenPaths.some((prefix) => isUnder(path, prefix)) ||
      (allowedPaths.length > 0 && !allowedPaths.some((prefix) => isUnder(path, prefix)));
    if (forbidden && path !== "")
      throw new PlanStop("refused", `I left ${path} alone: the instructions forbid changes there.`);
    if (confirmFirst && !this.#confirmed) {
      throw new PlanStop("ask", `${wordsForCall(toolName, input)} ${CONFIRM_QUESTION}`);
    }
  }
}

/** How the planner asks before a change; found again in its reply when the person answers. */
export const CONFIRM_QUESTION = "Shall I go ahead? (yes or no)";

const ABILITIES: Readonly<Record<string, string>> = {
  Read: "read files",
  LS: "list folders",
  Glob: "find files by name",
  Grep: "search in files",
  Write: "write files",
  StrReplace: "edit files",
  Delete: "delete files",
  Shell: "run commands",
};

function refusal(toolName: string): string {
  return `I cannot ${ABILITIES[toolName] ?? `use ${toolName}`} here: the ${toolName} tool is not offered to me.`;
}

function wordsForCall(toolName: string, input: JsonObject | string): string {
  if (typeof input === "string") return `I would call ${toolName} with ${input}.`;
  const path = pathOf(input);
  switch (toolName) {
    case "Write":
      return `I would write ${path} (${plural(textIn(input, "fileText").split("\n").length, "line")}).`;
    case "StrReplace":
      return `I would change ${path}: replace ${inCode(oneLine(input, "oldText"))} with ${inCode(oneLine(input, "newText"))}.`;
    case "Delete":
      return `I would delete ${path}.`;
    default:
      return `I would run ${inCode(textIn(input, "command"))}.`;
  }
}

function pathOf(input: JsonObject): string {
  return textIn(input, "path");
}

function textIn(input: JsonObject, name: string): string {
  const value = input[name];
  return typeof value === "string" ? value : "";
}

function oneLine(input: JsonObject, name: string): string {
  return textIn(input, name)
    .trim()
    .replaceAll(/\s*\r?\n\s*/g, " ⏎ ");
}

export function isUnder(path: string, prefix: string): boolean {
  return prefix === "" || prefix === "/" || path === prefix || path.startsWith(`${prefix}/`);
}

export function plural(count: number, word: string): string {
  const many = /(?:ch|s|x)$/.test(word) ? `${word}es` : `${word}s`;
  return `${count.toLocaleString("en")} ${count === 1 ? word : many}`;
}

const CODE_AT_MOST = 80;

/** A piece of a file's text on one line, marked as code. */
export function inCode(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  const shown = line.length > CODE_AT_MOST ? `${line.slice(0, CODE_AT_MOST).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
  if (shown === "") return "nothing";
  return shown.includes("`") ? `\`\` ${shown} \`\`` : `\`${shown}\``;
}
