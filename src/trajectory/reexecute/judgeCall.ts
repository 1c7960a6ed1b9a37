import type { JsonObject, JsonValue } from "../../base";
import { isVersionId } from "../../fs";
import type { EventData, FileChange } from "../../session";
import type { RunOutcome } from "./callRunner";
import type { ComparedFile, Difference, ReexecutedCall } from "./divergenceReport";
import { excerpt, firstDifference } from "./firstDifference";
import { isFor, normalised, type Normaliser } from "./normalisers";
import type { RecordedCall } from "./recordedCalls";

/** What a call's two results say of each other. */
export type Verdict = Pick<ReexecutedCall, "class" | "why" | "normalisers" | "difference" | "files" | "ranAs">;

/** What a call is about: a path where it names one, else its pattern, command or first text. */
export function subjectOf(toolName: string, input: JsonObject, inputText?: string): string {
  for (const name of SUBJECTS) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (typeof value === "string" && value !== "") return excerpt(value).split("\n", 1)[0] ?? "";
    if (Array.isArray(value)) return excerpt(value.join(" ")).split("\n", 1)[0] ?? "";
  }
  const patched = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(inputText ?? "")?.[1];
  return patched ?? toolName;
}

const SUBJECTS = (
  "path file_path filePath absolute_path target_file targetFile filename relative_workspace_path globPattern glob_pattern " +
  "pattern query command cmd script url prompt description"
).split(" ");

/** Compares what a call came to with what was recorded. `recorded` has its large texts in line. */
export function judged(
  call: RecordedCall,
  recorded: EventData["action.result"] | undefined,
  outcome: RunOutcome,
  normalisers: readonly Normaliser[],
): Verdict {
  if (outcome.kind === "not run" || outcome.kind === "not comparable") return { class: outcome.kind, why: outcome.why };
  if (recorded === undefined) return { class: "not comparable", why: "The recording holds no result of this call." };
  if (recorded.absent === true)
    return { class: "not comparable", why: "The recording says that the call ended, and not with what." };
  const path = subjectOf(call.action.toolName, call.input, call.action.inputText);
  const own = normalisers.filter((normaliser) => isFor(normaliser, call.action.toolName));
  return outcome.kind === "result"
    ? ownVerdict(path, recorded, outcome.result, own)
    : foreignVerdict(path, recorded, outcome, own);
}

function ownVerdict(
  path: string,
  recorded: EventData["action.result"],
  actual: EventData["action.result"],
  normalisers: readonly Normaliser[],
): Verdict {
  const files = comparedFiles(recorded.changes ?? [], actual.changes ?? []);
  const shown = files.length === 0 ? {} : { files };
  if (recorded.status !== actual.status)
    return {
      class: "status differs",
      difference: statusDifference(path, recorded, actual.status, actual.error?.message),
      ...shown,
    };
  if (recorded.truncated === true)
    return { class: "not comparable", why: "The recording holds a part of the result only.", ...shown };
  const compared = normalised(comparable(recorded), comparable(actual), normalisers);
  if (!compared.isEqual) {
    const difference = firstDifference(path, compared.expected, compared.actual);
    return {
      class: "differs",
      ...(difference === undefined ? {} : { difference: withoutResult(difference) }),
      ...shown,
    };
  }
  const file = files.find((each) => each.class !== "equal");
  if (file !== undefined) return { class: "differs", difference: fileDifference(file), ...shown };
  if (compared.names.length > 0) return { class: "equal after normalisation", normalisers: compared.names, ...shown };
  return { class: "equal", ...shown };
}

/** What of a result counts: what it holds, and why it failed. */
function comparable({ result, error, stub }: EventData["action.result"]): JsonValue {
  return {
    output: result.output,
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    ...(stub === true ? { stub } : {}),
  };
}

function withoutResult(difference: Difference): Difference {
  const { pointer, ...rest } = difference;
  const inside = pointer?.replace(/^\/output(?=\/|$)/, "") ?? "";
  return inside === "" ? rest : { ...rest, pointer: inside };
}

function foreignVerdict(
  path: string,
  recorded: EventData["action.result"],
  outcome: Extract<RunOutcome, { kind: "reading" }>,
  normalisers: readonly Normaliser[],
): Verdict {
  const { ranAs } = outcome;
  const wasCompleted = recorded.status === "completed";
  if (wasCompleted !== (outcome.status === "completed"))
    return {
      class: "status differs",
      ranAs,
      difference: statusDifference(path, recorded, outcome.status, outcome.message),
    };
  if (outcome.difference !== undefined) return { class: "differs", ranAs, difference: outcome.difference };
  if (recorded.truncated === true)
    return { class: "not comparable", why: "The recording holds a part of the result only.", ranAs };
  const compared = normalised(outcome.expected, outcome.actual, normalisers);
  if (!compared.isEqual) {
    const difference = firstDifference(path, compared.expected, compared.actual);
    return { class: "differs", ranAs, ...(difference === undefined ? {} : { difference }) };
  }
  const names = [...new Set([...outcome.normalisers, ...compared.names])];
  return names.length === 0
    ? { class: "equal", ranAs }
    : { class: "equal after normalisation", normalisers: names, ranAs };
}

function statusDifference(
  path: string,
  recorded: EventData["action.result"],
  status: string,
  message: string | undefined,
): Difference {
  const said = (word: string, text: string | undefined): string =>
    text === undefined || text === "" ? word : `${word}: ${text}`;
  return {
    path,
    expected: excerpt(said(recorded.status, recorded.error?.message)),
    actual: excerpt(said(status, message)),
  };
}

/** The files of both calls by what they hold afterwards. A version of a file elsewhere is no hash: it is passed over. */
function comparedFiles(recorded: readonly FileChange[], actual: readonly FileChange[]): ComparedFile[] {
  const expected = new Map(recorded.map((change) => [change.path, change]));
  const found = new Map(actual.map((change) => [change.path, change]));
  return [...new Set([...expected.keys(), ...found.keys()])].toSorted().flatMap((path): ComparedFile[] => {
    const [left, right] = [expected.get(path), found.get(path)];
    if ([left?.after, right?.after].some((hash) => hash !== undefined && isVersionId(hash))) return [];
    const sides = {
      path,
      ...(left?.after === undefined ? {} : { expected: left.after }),
      ...(right?.after === undefined ? {} : { actual: right.after }),
    };
    if (left === undefined) return [{ ...sides, class: "extra" }];
    if (right === undefined) return [{ ...sides, class: "missing" }];
    return [{ ...sides, class: left.after === right.after ? "equal" : "differs" }];
  });
}

function fileDifference({ path, class: found, expected, actual }: ComparedFile): Difference {
  const side = (hash: string | undefined, isThere: boolean): string =>
    !isThere ? "not changed" : hash === undefined ? "deleted" : `contents ${hash}`;
  return { path, expected: side(expected, found !== "extra"), actual: side(actual, found !== "missing") };
}
