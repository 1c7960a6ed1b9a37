import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Keyring, TextScrubber } from "../secrets";

type DeltaPart = Extract<LanguageModelV4StreamPart, { readonly delta: string }>;

const ENDS: { readonly [End in "text-end" | "reasoning-end" | "tool-input-end"]: DeltaPart["type"] } = {
  "text-end": "text-delta",
  "reasoning-end": "reasoning-delta",
  "tool-input-end": "tool-input-delta",
};

/**
 * Takes keys out of the parts of a stream: each line of it was scrubbed before, but a server can give a key away in
 * pieces (docs/models.md, Keys).
 */
export function keylessParts(keyring: Keyring): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const texts = new Map<string, { readonly last: DeltaPart; readonly scrubber: TextScrubber }>();
  const rest = (name: string): readonly DeltaPart[] => {
    const text = texts.get(name);
    texts.delete(name);
    const delta = text?.scrubber.end() ?? "";
    return text === undefined || delta === "" ? [] : [{ ...text.last, delta }];
  };
  const allRest = () => [...texts.keys()].flatMap(rest);
  const keyless = (part: LanguageModelV4StreamPart): readonly LanguageModelV4StreamPart[] => {
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta":
      case "tool-input-delta": {
        const name = `${part.type} ${part.id}`;
        const scrubber = texts.get(name)?.scrubber ?? keyring.textScrubber();
        texts.set(name, { last: part, scrubber });
        const delta = scrubber.push(part.delta);
        return delta === "" && part.delta !== "" ? [] : [{ ...part, delta }];
      }
      case "text-end":
      case "reasoning-end":
      case "tool-input-end":
        return [...rest(`${ENDS[part.type]} ${part.id}`), part];
      case "tool-call":
        return [...rest(`tool-input-delta ${part.toolCallId}`), { ...part, input: keyring.scrub(part.input) }];
      case "finish":
      case "error":
        return [...allRest(), part];
      default:
        return [part];
    }
  };
  return new TransformStream({
    transform(part, controller) {
      for (const one of keyless(part)) controller.enqueue(one);
    },
    flush(controller) {
      for (const one of allRest()) controller.enqueue(one);
    },
  });
}
