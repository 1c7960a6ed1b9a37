import type { SourceRecord } from "../format";
import type { ImportBuilder, SessionAbout, SessionDraft } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, list, number, record, text } from "../jsonAccess";
import { attachmentsOf } from "./inspectAttachments";
import { InspectTranscript } from "./inspectEvents";
import { textOfContent, usageOfCounts, usageOfOutput, writeAssistantMessage } from "./inspectMessages";

/**
 * One sample of an evaluation, which is a session. `header` is the log without its samples, `chunked` its events where
 * they lie in entries of their own.
 */
export function writeInspectSample(
  sample: SourceRecord,
  header: unknown,
  key: string,
  out: ImportBuilder,
  chunked?: readonly SourceRecord[],
): void {
  const { value, origin } = sample;
  if (!isRecord(value)) return out.warn({ code: "sample-broken", message: "A sample is no object", origin });
  const draft = out.session(key, aboutOf(value, header));
  const resolve = attachmentsOf(value, origin, out);
  const pool = list(field(value, "message_pool") ?? fieldAt(value, "events_data", "messages"));
  const transcript = new InspectTranscript(key, draft, out, resolve, pool);
  const path = Array.isArray(field(value, "events")) ? ["events"] : ["transcript", "events"];
  const prefix = `${origin.pointer ?? ""}/${path.join("/")}`;
  transcript.events(
    chunked ??
      list(fieldAt(value, ...path)).map((event, index) => ({
        value: event,
        origin: { ...origin, pointer: `${prefix}/${index}` },
      })),
  );
  writeMessages(sample, transcript, draft);
  if (transcript.modelCalls === 0) writeUsage(value, draft);
  end(sample, header, draft);
}

function aboutOf(sample: unknown, header: unknown): SessionAbout {
  const name = `${text(field(sample, "id")) ?? number(field(sample, "id")) ?? "?"}`;
  const epoch = number(field(sample, "epoch"));
  const task = filledText(fieldAt(header, "eval", "task"));
  const modelId = filledText(fieldAt(header, "eval", "model"));
  const solver = filledText(fieldAt(header, "eval", "solver"));
  const version = filledText(fieldAt(header, "eval", "packages", "inspect_ai"));
  return {
    id: filledText(field(sample, "uuid")) ?? `${name}_epoch_${epoch ?? 1}`,
    title: `${task === undefined ? "" : `${task} · `}sample ${name}${epoch === undefined ? "" : `, epoch ${epoch}`}`,
    ...(modelId === undefined ? {} : { modelId }),
    ...(solver === undefined ? {} : { agentName: solver }),
    ...(version === undefined ? {} : { agentVersion: version }),
  };
}

/**
 * What the list of messages has and no event told: all of the conversation in logs without events of models, else what
 * a solver added at the end.
 */
function writeMessages({ value, origin }: SourceRecord, transcript: InspectTranscript, draft: SessionDraft): void {
  const hadModel = transcript.modelCalls > 0;
  const known = list(field(value, "messages")).map((message) => transcript.known(message));
  const messages = known.map(({ message }) => message);
  const fresh = new Set(transcript.seen.fresh(known, ({ key }) => key).map(({ message }) => message));
  const input = field(value, "input");
  if (!hadModel && !messages.some((message) => field(message, "role") === "user"))
    writeInput(value, transcript, draft, origin);
  for (const [index, message] of messages.entries()) {
    if (!fresh.has(message)) continue;
    const where = { origin: { ...origin, pointer: `${origin.pointer ?? ""}/messages/${index}` } };
    const role = text(field(message, "role"));
    if (role === "system") draft.system(textOfContent(field(message, "content")), where);
    else if (role === "user") transcript.user(message, draft, where);
    else if (role === "tool") transcript.toolMessage(message, draft, where);
    else if (role === "assistant") {
      draft.step({ ...where, id: filledText(field(message, "id")), modelId: filledText(field(message, "model")) });
      writeAssistantMessage(message, draft, where);
    } else draft.note(role ?? "message", message, where);
  }
  const answer = fieldAt(list(fieldAt(value, "output", "choices"))[0], "message");
  if (hadModel || !isRecord(answer) || messages.some((message) => field(message, "role") === "assistant")) return;
  if (input === undefined && messages.length === 0) return;
  const where = { origin: { ...origin, pointer: `${origin.pointer ?? ""}/output` } };
  draft.step({ ...where, modelId: filledText(fieldAt(value, "output", "model")) });
  writeAssistantMessage(answer, draft, where);
}

/** The question of a sample, a text or messages, where no message has it. */
function writeInput(
  sample: unknown,
  transcript: InspectTranscript,
  draft: SessionDraft,
  origin: SourceRecord["origin"],
): void {
  const where = { origin: { ...origin, pointer: `${origin.pointer ?? ""}/input` } };
  const input = field(sample, "input");
  if (typeof input === "string") draft.user(input, where);
  for (const message of list(input)) {
    if (field(message, "role") === "user") transcript.user(message, draft, where);
    else if (field(message, "role") === "system") draft.system(textOfContent(field(message, "content")), where);
  }
}

/** Without a model's own events there is only what the sample used in all. */
function writeUsage(sample: unknown, draft: SessionDraft): void {
  const totals = Object.values(record(field(sample, "model_usage"))).map((usage) => usageOfCounts(usage));
  if (totals.length === 0) return draft.usage(usageOfOutput(field(sample, "output")), "per-call");
  const sum: Record<string, number> = {};
  for (const usage of totals) {
    for (const [name, count] of Object.entries(usage)) if (count !== undefined) sum[name] = (sum[name] ?? 0) + count;
  }
  draft.usage(sum, "cumulative");
}

/** How a sample ended: an error, a limit that stopped it, or by itself. */
function end({ value, origin }: SourceRecord, header: unknown, draft: SessionDraft): void {
  const at = filledText(field(value, "completed_at"));
  const where = { origin, ...(at === undefined ? {} : { at }) };
  for (const [name, score] of Object.entries(record(field(value, "scores"))))
    draft.note("score", { name, score }, where);
  const error = field(value, "error");
  const limit = filledText(fieldAt(value, "limit", "type"));
  if (isRecord(error)) {
    const message = text(field(error, "message")) ?? "The sample failed";
    const cancelled = /cancel/i.test(message) && field(header, "status") === "cancelled";
    draft.endTurn({ kind: cancelled ? "cancelled" : "failed", code: "sample-error", message }, where);
  } else if (limit !== undefined) {
    const bound = number(fieldAt(value, "limit", "limit"));
    const message = `The sample met its ${limit} limit${bound === undefined ? "" : ` of ${bound}`}`;
    draft.endTurn({ kind: limit === "operator" ? "cancelled" : "failed", code: "limit", message }, where);
  } else draft.endTurn({ kind: "completed" }, where);
}
