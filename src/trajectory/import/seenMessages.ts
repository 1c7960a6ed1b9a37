/**
 * Recordings repeat the conversation so far with each call of a model: what is new in a repetition. A message counts as
 * seen as often as it was there before, so a text a person sends twice is two messages, also where a history was cut.
 */
export interface SeenMessages {
  /** The messages that were not there before, in order; they are seen from now on. */
  fresh<Message>(messages: readonly Message[], keyOf: (message: Message) => string): Message[];
  add(key: string): void;
  has(key: string): boolean;
}

export function seenMessages(): SeenMessages {
  const seen = new Map<string, number>();
  return {
    fresh(messages, keyOf) {
      const counts = new Map<string, number>();
      const found: typeof messages extends readonly (infer Message)[] ? Message[] : never = [];
      for (const message of messages) {
        const key = keyOf(message);
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        if (count <= (seen.get(key) ?? 0)) continue;
        seen.set(key, count);
        found.push(message);
      }
      return found;
    },
    add(key) {
      seen.set(key, (seen.get(key) ?? 0) + 1);
    },
    has: (key) => seen.has(key),
  };
}
