import { field, list, text } from "../jsonAccess";
import { textsOf, type RolloutRecord } from "./rolloutRecord";

/**
 * What a rollout says as items. The same texts come as events too, before or after: content is taken from the items, and
 * from an event only where no item has it.
 */
export class ItemTexts {
  readonly #assistant = new Set<string>();
  readonly #reasoning = new Set<string>();
  hasCompacted = false;

  constructor(records: readonly RolloutRecord[]) {
    for (const { kind, type, payload } of records) {
      if (kind === "compacted") this.hasCompacted = true;
      if (kind !== "response_item") continue;
      if (type === "message" && field(payload, "role") === "assistant") {
        const texts = textsOf(field(payload, "content"));
        for (const said of [...texts, texts.join(""), texts.join("\n")]) this.#assistant.add(said.trim());
      }
      if (type !== "reasoning") continue;
      for (const part of [...list(field(payload, "summary")), ...list(field(payload, "content"))]) {
        const thought = text(field(part, "text"));
        if (thought !== undefined) this.#reasoning.add(thought.trim());
      }
    }
  }

  hasMessage(said: string): boolean {
    return this.#assistant.has(said.trim());
  }

  hasReasoning(thought: string): boolean {
    return this.#reasoning.has(thought.trim());
  }
}

/** Texts in the place of a person's that the program put there. */
const CONTEXT =
  /^\s*(<(environment_context|user_instructions|turn_aborted|permissions|collaboration_mode|skills?_|skill>|subagent|apps_instructions|plugins|INSTRUCTIONS|user_shell_command|model_switch|personality)|# AGENTS\.md instructions)/;

export function isContext(texts: readonly string[]): boolean {
  return texts.length > 0 && texts.every((said) => CONTEXT.test(said));
}

/** A person's messages: each is one, whether it came as an item, an event or both in either order. */
export class PersonsWords {
  #unmatched: { said: string; from: "item" | "event" }[] = [];

  /** Whether a message is the same that came the other way since the model said something. */
  isAgain(said: string, from: "item" | "event"): boolean {
    const wanted = said.trim();
    const at = this.#unmatched.findIndex((one) => one.from !== from && isSame(one.said, wanted));
    if (at !== -1) {
      this.#unmatched.splice(at, 1);
      return true;
    }
    this.#unmatched.push({ said: wanted, from });
    return false;
  }

  modelSpoke(): void {
    this.#unmatched = [];
  }
}

/** The item may hold more than the event: files and images are told apart there. */
function isSame(a: string, b: string): boolean {
  return a === b || (a !== "" && b !== "" && (a.includes(b) || b.includes(a)));
}
