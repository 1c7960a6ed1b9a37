import { limits } from "../base";

/** Something of a saved file that was lost or mended, and where. */
export interface ImportWarning {
  readonly code: "cut" | "bad-json" | "not-an-event" | "bad-field" | "too-long" | "bad-entry" | "missing-blob" | "more";
  /** From 1; absent where the file has no lines. */
  readonly line?: number;
  /** Where the line begins. */
  readonly byteOffset?: number;
  readonly message: string;
}

/** Warnings up to a limit; what comes after it is counted in a last one. */
export class WarningList {
  readonly #warnings: ImportWarning[] = [];
  #left = 0;

  add(warning: ImportWarning): void {
    if (this.#warnings.length < limits.importWarnings) this.#warnings.push(warning);
    else this.#left++;
  }

  all(): readonly ImportWarning[] {
    if (this.#left === 0) return this.#warnings;
    return [...this.#warnings, { code: "more", message: `${this.#left} more warnings are not shown.` }];
  }
}
