/** What ends a script of the lite Node. The message is what standard error shows. */
export class NodeLiteError extends Error {
  override readonly name = "NodeLiteError";
  readonly code: NodeLiteErrorCode;

  constructor(code: NodeLiteErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
  }
}

/** `usage`: it does not take that; `too-large`: the project is more than is copied to a script. */
export type NodeLiteErrorCode = "usage" | "too-large";
