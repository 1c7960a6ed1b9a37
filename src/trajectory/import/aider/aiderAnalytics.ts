import type { FormatInput, SourceRecord } from "../format";
import type { FormatFile } from "../importSource";
import type { ImportBuilder, SessionDraft } from "../importBuilder";
import { field, filledText, isRecord, number, text } from "../jsonAccess";
import { present } from "../present";

export function isAnalytics(entry: unknown): boolean {
  return (
    filledText(field(entry, "event")) !== undefined &&
    isRecord(field(entry, "properties")) &&
    filledText(field(entry, "user_id")) !== undefined &&
    typeof field(entry, "time") === "number"
  );
}

/** What aider counts of its use: that messages were sent, by which model and for how much, and none of their texts. */
export async function readAnalytics(input: FormatInput, file: FormatFile, out: ImportBuilder): Promise<void> {
  const runs = new AnalyticsRuns(file.path, out);
  for await (const entry of input.records(file)) {
    if (isAnalytics(entry.value)) runs.event(entry);
    else out.warn({ code: "unknown-entry", origin: entry.origin, kept: false });
  }
  out.fidelity({ results: "absent" });
  out.warn({
    code: "content-absent",
    message: "The log counts messages and does not hold them: it can be looked at, not replayed",
    kept: false,
  });
}

/** A run of the program is a session; each message that was sent a turn. */
class AnalyticsRuns {
  readonly #path: string;
  readonly #out: ImportBuilder;
  #draft: SessionDraft | undefined;
  #count = 0;
  #began = "";
  #modelId: string | undefined;

  constructor(path: string, out: ImportBuilder) {
    this.#path = path;
    this.#out = out;
  }

  event({ value, origin }: SourceRecord): void {
    const where = { origin, at: number(field(value, "time")) };
    const kind = text(field(value, "event")) ?? "event";
    if (this.#draft === undefined || kind === "launched") {
      this.#draft = this.#out.session(`${this.#path}#${this.#count++}`, { agentName: "aider" });
      this.#began = momentText(where.at);
      this.#modelId = undefined;
      this.#draft.about({ title: `aider · ${this.#began}` });
    }
    const draft = this.#draft;
    const properties = field(value, "properties");
    this.#learnModel(filledText(field(properties, "main_model")));
    if (kind === "message_send_starting") {
      draft.user("", where);
    } else if (kind === "message_send") {
      draft.step({ ...where, modelId: filledText(field(properties, "main_model")) });
      draft.usage(
        present({
          inputTokens: number(field(properties, "prompt_tokens")),
          outputTokens: number(field(properties, "completion_tokens")),
          costUsd: number(field(properties, "cost")),
        }),
        "per-call",
      );
    } else draft.note(kind, value, where);
  }
  /** The first model of a run names it: there are no words of a person to do so. */
  #learnModel(modelId: string | undefined): void {
    if (modelId === undefined || modelId === "None" || this.#modelId !== undefined) return;
    this.#modelId = modelId;
    this.#draft?.about({ modelId, title: `${modelId} · ${this.#began}` });
  }
}

/** Seconds since 1970 in words, to the second: runs follow each other fast. */
function momentText(seconds: number | undefined): string {
  const moment = new Date((seconds ?? Number.NaN) * 1_000);
  return Number.isNaN(moment.getTime()) ? "time unknown" : `${moment.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
