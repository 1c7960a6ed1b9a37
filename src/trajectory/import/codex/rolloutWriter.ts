import type { JsonObject } from "../../../base";
import type { ImportBuilder, SessionDraft, TurnEnd, Where } from "../importBuilder";
import {
  field,
  fieldAt,
  filledText,
  isRecord,
  jsonText,
  list,
  number,
  parsedJson,
  text,
  type UnknownRecord,
} from "../jsonAccess";
import { callOutput, imagePart } from "./callOutput";
import { textsOf, type RolloutRecord } from "./rolloutRecord";
import { RolloutUsage } from "./rolloutUsage";
import { isContext, ItemTexts, PersonsWords } from "./saidTwice";

/** Writes one rollout down: content from its items, what became of it from its events. */
export class RolloutWriter {
  readonly #draft: SessionDraft;
  readonly #out: ImportBuilder;
  readonly #usage: RolloutUsage;
  readonly #texts: ItemTexts;
  readonly #persons = new PersonsWords();
  #modelId: string | undefined;
  /** Whether a response is open, whether a call of it has its result, and whether its figures came after its items. */
  #response: "none" | "open" | "answered" = "none";
  /** How the turn ended; items of it may still come. */
  #end: { readonly how: TurnEnd; readonly where: Where; readonly isFinal: boolean } | undefined;
  /** Whether the model said something in the turn. */
  #hasSpoken = false;
  readonly #questions = new Map<string, UnknownRecord>();

  constructor(records: readonly RolloutRecord[], draft: SessionDraft, out: ImportBuilder) {
    this.#draft = draft;
    this.#out = out;
    this.#usage = new RolloutUsage(draft);
    this.#texts = new ItemTexts(records);
  }

  write(record: RolloutRecord): void {
    const { kind, type, payload, where, value } = record;
    switch (kind) {
      case "response_item":
        this.#item(type, payload, where);
        break;
      case "event_msg":
        this.#event(type, payload, where);
        break;
      case "turn_context":
        this.#context(payload);
        this.#draft.note(kind, payload, where);
        break;
      case "compacted":
        this.#draft.compaction({ summary: filledText(field(payload, "message")) }, where);
        this.#response = "none";
        break;
      case "value":
        this.#out.warn({
          code: "not-an-entry",
          message: `The value in line ${where.origin?.line} is no line of a rollout and was kept as it is.`,
          origin: where.origin,
          kept: true,
        });
        this.#draft.note(kind, value, where);
        break;
      default:
        this.#draft.note(kind, payload, where);
    }
  }

  end(): void {
    if (this.#usage.isWaiting && this.#response === "none") this.#usageAlone({});
    this.#endTurn();
  }

  #context(payload: UnknownRecord): void {
    this.#modelId = filledText(field(payload, "model")) ?? this.#modelId;
    this.#draft.about({ cwd: filledText(field(payload, "cwd")), modelId: this.#modelId });
  }

  #item(type: string, payload: UnknownRecord, where: Where): void {
    switch (type) {
      case "message":
        this.#messageItem(payload, where);
        break;
      case "reasoning":
        this.#reasoning(payload, where);
        break;
      case "function_call":
      case "tool_call":
      case "custom_tool_call":
      case "tool_search_call":
      case "local_shell_call":
        this.#call(type, payload, where);
        break;
      case "function_call_output":
      case "function_result":
      case "tool_result":
      case "custom_tool_call_output":
      case "local_shell_call_output":
      case "tool_search_output":
      case "mcp_tool_call_output":
        this.#result(type, payload, where);
        break;
      case "web_search_call":
      case "image_generation_call":
        this.#serverCall(type, payload, where);
        break;
      default:
        this.#draft.note(type, payload, where);
    }
  }

  #messageItem(payload: UnknownRecord, where: Where): void {
    const role = text(field(payload, "role"));
    const content = field(payload, "content") ?? field(payload, "message");
    const texts = textsOf(content);
    const said = texts.join("\n");
    if (role === "assistant") {
      this.#say(said, where);
    } else if (role === "user") {
      if (isContext(texts)) this.#draft.note("context", payload, where);
      else if (!this.#persons.isAgain(said, "item")) this.#prompt(said, list(content), where);
    } else if (role === "developer" || role === "system") this.#draft.system(said, where);
    else this.#draft.note("message", payload, where);
  }

  #say(said: string, where: Where): void {
    this.#respond(where);
    this.#draft.message(said, where);
    this.#hasSpoken = true;
  }

  #prompt(said: string, content: readonly unknown[], where: Where): void {
    this.#endTurn();
    this.#usage.turnEnds();
    const parts = content.flatMap((part): JsonObject[] => {
      const image = imagePart(this.#draft, part);
      return isRecord(image) ? [image] : [];
    });
    this.#draft.user(said, parts.length === 0 ? where : { ...where, parts });
    this.#response = "none";
    this.#hasSpoken = false;
  }

  #reasoning(payload: UnknownRecord, where: Where): void {
    this.#respond(where);
    const summary = textsOf(field(payload, "summary"));
    const thought = (summary.length > 0 ? summary : textsOf(field(payload, "content"))).join("\n\n");
    const encrypted = filledText(field(payload, "encrypted_content"));
    const itemId = filledText(field(payload, "id"));
    const openai = { ...(itemId === undefined ? {} : { itemId }), reasoningEncryptedContent: encrypted ?? null };
    const providerMetadata = encrypted === undefined ? undefined : { openai };
    this.#draft.reasoning(thought, { ...where, providerMetadata });
  }

  #call(type: string, payload: UnknownRecord, where: Where): void {
    this.#respond(where);
    const callId = filledText(field(payload, "call_id")) ?? filledText(field(payload, "id"));
    const named = filledText(field(payload, "name")) ?? filledText(fieldAt(payload, "function", "name"));
    const input =
      type === "custom_tool_call"
        ? field(payload, "input")
        : type === "local_shell_call"
          ? field(payload, "action")
          : (field(payload, "arguments") ?? fieldAt(payload, "function", "arguments"));
    const toolName = named ?? (type === "local_shell_call" ? "local_shell" : type.replace(/_call$/, ""));
    const namespace = filledText(field(payload, "namespace"));
    const providerMetadata = namespace === undefined ? undefined : { openai: { namespace } };
    if (toolName === "request_user_input" && callId !== undefined) {
      const asked = typeof input === "string" ? parsedJson(input) : input;
      if (isRecord(asked)) this.#questions.set(callId, asked);
    }
    this.#draft.call({ callId, toolName, input, providerMetadata }, where);
  }

  #result(type: string, payload: UnknownRecord, where: Where): void {
    if (this.#response === "open") this.#response = "answered";
    const callId = filledText(field(payload, "call_id"));
    const recorded =
      field(payload, "output") ??
      field(payload, "result") ??
      (type === "tool_search_output" ? { tools: field(payload, "tools") } : undefined);
    const { refused, ...result } = callOutput(this.#draft, recorded);
    this.#answers(callId, result.output, where);
    if (refused !== undefined && callId !== undefined)
      this.#draft.approval({ callId, outcome: "denied", text: refused }, where);
    this.#draft.result({ callId, toolName: filledText(field(payload, "name")), ...result }, where);
  }

  /** Answers of a person to questions the model asked through a tool. */
  #answers(callId: string | undefined, output: unknown, where: Where): void {
    const asked = this.#questions.get(callId ?? "");
    if (asked === undefined) return;
    const answers = field(typeof output === "string" ? parsedJson(output) : output, "answers");
    for (const question of list(field(asked, "questions"))) {
      const prompt = text(field(question, "question"));
      const answer = field(answers, text(field(question, "id")) ?? "");
      const given = [...list(answer), ...list(field(answer, "answers"))].filter((each) => typeof each === "string");
      if (prompt !== undefined) {
        this.#draft.question({ callId, prompt, answer: given.length === 0 ? text(answer) : given.join(", ") }, where);
      }
    }
  }

  /** A call the provider carried out itself: the item is call and result in one, and does not hold all of the result. */
  #serverCall(type: string, payload: UnknownRecord, where: Where): void {
    this.#respond(where);
    const toolName = type.replace(/_call$/, "");
    const input =
      type === "web_search_call"
        ? (field(payload, "action") ?? {})
        : { prompt: field(payload, "revised_prompt") ?? null };
    const callId = this.#draft.call({ callId: filledText(field(payload, "id")), toolName, input }, where);
    const image = filledText(field(payload, "result"));
    const output =
      type === "image_generation_call" && image !== undefined ? this.#draft.image(image, "image/png") : null;
    const isFailed = field(payload, "status") === "failed";
    this.#draft.result({ callId, output, absent: output === null, status: isFailed ? "failed" : "completed" }, where);
  }

  /** The model says something: in the response that is open, or in a new one when calls of that one have been answered. */
  #respond(where: Where): void {
    this.#persons.modelSpoke();
    if (this.#end?.isFinal === false) this.#end = undefined;
    if (this.#response === "open") return;
    this.#draft.step({ ...where, modelId: this.#modelId });
    this.#response = "open";
    this.#usage.stepBegan();
  }

  #event(type: string, payload: UnknownRecord, where: Where): void {
    switch (type) {
      case "user_message": {
        const said = text(field(payload, "message")) ?? "";
        const images = list(field(payload, "images")).map((url) => ({ image_url: url }));
        if (isContext([said])) this.#draft.note("context", payload, where);
        else if (!this.#persons.isAgain(said, "event")) this.#prompt(said, images, where);
        break;
      }
      case "agent_message": {
        const said = text(field(payload, "message")) ?? "";
        if (!this.#texts.hasMessage(said)) this.#say(said, where);
        break;
      }
      case "agent_reasoning":
      case "agent_reasoning_raw_content": {
        const thought = text(field(payload, "text")) ?? "";
        if (this.#texts.hasReasoning(thought)) break;
        this.#respond(where);
        this.#draft.reasoning(thought, where);
        break;
      }
      case "token_count":
        if (this.#usage.told(field(payload, "info")) && this.#response === "open") this.#response = "answered";
        break;
      default:
        this.#status(type, payload, where);
    }
  }

  #status(type: string, payload: UnknownRecord, where: Where): void {
    this.#draft.note(type, payload, where);
    switch (type) {
      case "task_complete":
      case "turn_complete": {
        // Where the turn shows no word of the model, its end tells the last one.
        const last = filledText(field(payload, "last_agent_message"));
        if (last !== undefined && !this.#hasSpoken && !this.#texts.hasMessage(last)) this.#say(last, where);
        const error = field(payload, "error");
        this.#end = isRecord(error)
          ? { how: { kind: "failed", ...errorOf(error) }, where, isFinal: true }
          : { how: { kind: "completed" }, where, isFinal: true };
        break;
      }
      case "turn_aborted":
        this.#end = { how: { kind: "cancelled" }, where, isFinal: true };
        break;
      case "turn.completed":
        if (!this.#usage.toldTotals(field(payload, "usage")) && this.#usage.isWaiting) this.#usageAlone(where);
        this.#end = { how: { kind: "completed" }, where, isFinal: true };
        break;
      case "error":
        this.#end = { how: { kind: "failed", ...errorOf(field(payload, "error") ?? payload) }, where, isFinal: false };
        break;
      case "context_compacted":
        if (!this.#texts.hasCompacted) this.#draft.compaction({}, where);
        break;
      case "guardian_assessment":
        this.#assessment(payload, where);
        break;
      default:
    }
  }

  /** A reviewer in the person's place decided about a call. */
  #assessment(payload: UnknownRecord, where: Where): void {
    const status = field(payload, "status");
    const callId = filledText(field(payload, "target_item_id"));
    if (callId === undefined || (status !== "approved" && status !== "denied")) return;
    this.#draft.approval({ callId, outcome: status, text: filledText(field(payload, "rationale")) }, where);
  }

  /** Figures of a response of which the rollout holds nothing else. */
  #usageAlone(where: Where): void {
    if (this.#end?.isFinal === true) this.#endTurn();
    this.#draft.step({ ...where, modelId: this.#modelId });
    this.#usage.stepBegan();
    this.#response = "answered";
  }

  #endTurn(): void {
    const end = this.#end;
    this.#end = undefined;
    this.#usage.turnEnds();
    if (end !== undefined) this.#draft.endTurn(end.how, end.where);
    this.#response = "none";
  }
}

function errorOf(error: unknown): { readonly code: string; readonly message: string } {
  const info = field(error, "codex_error_info") ?? field(error, "kind") ?? field(error, "code");
  const code = filledText(info) ?? (isRecord(info) ? Object.keys(info)[0] : undefined) ?? "error";
  return {
    code,
    message: text(field(error, "message")) ?? (number(error) === undefined ? jsonText(error) : String(error)),
  };
}
