/** The text with every lone surrogate replaced by U+FFFD, so that it can be hashed, encoded and sent. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

/** Joins the halves of a character that a stream cut in two. One for each text of a stream. */
export interface SurrogateJoiner {
  /** What can be passed on now; a high half at the end is held back for the next piece. */
  push(piece: string): string;
  /** What was held back, at the end of the text. */
  end(): string;
}

export function surrogateJoiner(): SurrogateJoiner {
  let held = "";
  return {
    push(piece) {
      const text = held + piece;
      const last = text.charCodeAt(text.length - 1);
      const cut = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
      held = text.slice(cut);
      return wellFormed(text.slice(0, cut));
    },
    end() {
      const rest = wellFormed(held);
      held = "";
      return rest;
    },
  };
}
