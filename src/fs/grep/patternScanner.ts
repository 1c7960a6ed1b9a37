import { PatternSyntaxError } from "./patternSyntaxError";

/** Flags that hold at one place of a pattern: `i`, `m`, `s`, `U`, `u`, `x`. */
export interface PatternFlags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotMatchesNewline: boolean;
  readonly swapGreed: boolean;
  readonly unicode: boolean;
  readonly verbose: boolean;
}

/** Reads a pattern character by character. */
export class PatternScanner {
  readonly pattern: string;
  position = 0;
  readonly #names = new Set<string>();

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  get isAtEnd(): boolean {
    return this.position >= this.pattern.length;
  }

  /** The character here, empty at the end. */
  peek(): string {
    const code = this.pattern.codePointAt(this.position);
    return code === undefined ? "" : String.fromCodePoint(code);
  }

  next(): string {
    const character = this.peek();
    if (character === "") throw this.fault("unexpected end");
    this.position += character.length;
    return character;
  }

  looksAt(text: string): boolean {
    return this.pattern.startsWith(text, this.position);
  }

  take(text: string): boolean {
    if (!this.looksAt(text)) return false;
    this.position += text.length;
    return true;
  }

  /** What a sticky expression matches here, taken. */
  takeMatch(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.position;
    const match = expression.exec(this.pattern);
    if (match === null) return undefined;
    this.position += match[0].length;
    return match;
  }

  /** Skips white space and comments, as `x` asks. */
  skipVerbose(flags: PatternFlags): void {
    if (flags.verbose) this.takeMatch(/(?:\s|#[^\n]*(?:\n|$))*/y);
  }

  /** A group's name, which no other may have. @throws PatternSyntaxError */
  addName(name: string): void {
    if (this.#names.has(name)) throw this.fault("duplicate capture group name");
    this.#names.add(name);
  }

  fault(problem: string): PatternSyntaxError {
    return new PatternSyntaxError(problem, this.position);
  }
}
