import { shallowValue } from "./parsedText";

/** A broken text of JSON as far as it could be read, and where it was not. */
export interface MendedJson {
  readonly value: unknown;
  /** Characters at which something was passed over; of the last, whether the text ended there. */
  readonly problems: readonly { readonly at: number; readonly isCut: boolean }[];
}

/** Problems past which a text is taken for none: it is not JSON with a fault, but something else. */
const MOST_PROBLEMS = 200;

/**
 * Reads a text that is not quite JSON: what cannot be read is passed over up to the next comma or bracket, and what the
 * end of the text left open is closed. `undefined` when nothing of it can be kept.
 */
export function mendedJson(text: string): MendedJson | undefined {
  const reader = new MendingReader(text);
  const value = shallowValue(reader.read());
  return value === undefined || reader.problems.length > MOST_PROBLEMS
    ? undefined
    : { value, problems: reader.problems };
}

interface Open {
  readonly value: unknown[] | Record<string, unknown>;
  /** The name of the field under way. */
  name?: string | undefined;
}

class MendingReader {
  readonly #text: string;
  #at = 0;
  readonly #stack: Open[] = [];
  #root: unknown;
  /** Where the string begins that the text ends in. */
  #cutAt: number | undefined;
  readonly problems: { at: number; isCut: boolean }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    this.#space();
    const first = this.#text[this.#at];
    if (first !== "{" && first !== "[") return undefined;
    this.#open();
    while (this.#stack.length > 0 && this.problems.length <= MOST_PROBLEMS) {
      this.#space();
      if (this.#at >= this.#text.length) {
        this.problems.push({ at: this.#cutAt ?? this.#at, isCut: true });
        break;
      }
      this.#next();
    }
    return this.#root;
  }

  #next(): void {
    const open = this.#stack.at(-1);
    const char = this.#text[this.#at];
    if (open === undefined) return;
    if (char === "]" || char === "}") this.#close(char);
    else if (char === ",") this.#at++;
    else if (Array.isArray(open.value) || open.name !== undefined) this.#value();
    else this.#name(open);
  }

  #close(char: "]" | "}"): void {
    this.#at++;
    const isList = char === "]";
    // A bracket of the other kind closes what the text forgot to.
    const matches = this.#stack.findLastIndex(({ value }) => Array.isArray(value) === isList);
    if (matches !== this.#stack.length - 1) this.problems.push({ at: this.#at - 1, isCut: false });
    if (matches !== -1) this.#stack.length = matches;
  }

  #name(open: Open): void {
    const name = this.#text[this.#at] === '"' ? this.#string() : undefined;
    this.#space();
    if (name === undefined || this.#text[this.#at] !== ":") this.#skip();
    else {
      this.#at++;
      open.name = name;
    }
  }

  #value(): void {
    const char = this.#text[this.#at];
    if (char === "{" || char === "[") return this.#open();
    const value = char === '"' ? this.#string() : this.#bare();
    if (value === undefined) this.#skip();
    else this.#put(value);
  }

  #open(): void {
    const value = this.#text[this.#at++] === "[" ? [] : {};
    this.#put(value);
    this.#stack.push({ value });
  }

  #put(value: unknown): void {
    const open = this.#stack.at(-1);
    if (open === undefined) this.#root = value;
    else if (Array.isArray(open.value)) open.value.push(value);
    else if (open.name !== undefined) {
      // An own field, whatever it is called.
      Object.defineProperty(open.value, open.name, { value, enumerable: true, configurable: true, writable: true });
      open.name = undefined;
    }
  }

  #string(): string | undefined {
    let end = this.#text.indexOf('"', this.#at + 1);
    while (end !== -1 && isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1);
    if (end === -1) {
      // Without a line end in it, it is not a quote that is missing, but the rest of the text.
      if (this.#text.includes("\n", this.#at)) return undefined;
      this.#cutAt = this.#at;
      this.#at = this.#text.length;
      return undefined;
    }
    const value = parsed(this.#text.slice(this.#at, end + 1));
    if (typeof value !== "string") return undefined;
    this.#at = end + 1;
    return value;
  }

  #bare(): unknown {
    const match = /[-+.\w]{1,40}/y;
    match.lastIndex = this.#at;
    const word = match.exec(this.#text)?.[0];
    const value = word === undefined ? undefined : parsed(word);
    if (word !== undefined && value !== undefined) this.#at += word.length;
    return value;
  }

  /** Passes over what cannot be read, and the field it was for. */
  #skip(): void {
    if (this.#at >= this.#text.length) return;
    const next = /[,[\]{}]/g;
    next.lastIndex = this.#at + 1;
    const found = next.exec(this.#text);
    this.problems.push({ at: this.#at, isCut: found === null });
    this.#at = found?.index ?? this.#text.length;
    const open = this.#stack.at(-1);
    if (open !== undefined) open.name = undefined;
  }

  #space(): void {
    while (this.#at < this.#text.length && this.#text.charCodeAt(this.#at) <= 0x20) this.#at++;
  }
}

function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text[at - 1 - count] === "\\") count++;
  return count % 2 === 1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
