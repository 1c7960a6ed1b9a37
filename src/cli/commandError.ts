/** Why a command ends: it was used wrongly, or what was asked failed. Its message is for the person who typed it. */
export class CommandError extends Error {
  readonly code: "usage" | "failed";

  constructor(code: "usage" | "failed", message: string) {
    super(message);
    this.name = "CommandError";
    this.code = code;
  }
}

export function usageError(message: string): CommandError {
  return new CommandError("usage", message);
}

export function failure(message: string): CommandError {
  return new CommandError("failed", message);
}

/** An error as a person reads it: its message, and what the system said where the message does not. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { reason } = error as { readonly reason?: unknown };
  return typeof reason === "string" && reason !== error.message ? `${error.message} (${reason})` : error.message;
}

/** The first line of it, ended as a sentence. */
export function errorSentence(error: unknown): string {
  const [line = "it says nothing of why"] = errorText(error)
    .split("\n")
    .filter((each) => each.trim() !== "");
  return /[.!?]$/.test(line) ? line.trim() : `${line.trim()}.`;
}
