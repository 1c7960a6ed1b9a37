/** An argument that is missing or of the wrong kind, in words a model can act on. */
export class ToolInputError extends Error {
  readonly code = "invalid-input";
  readonly toolName: string;
  /** The argument by its published name, `todos[0].status` inside a list. */
  readonly argument: string;

  constructor(toolName: string, argument: string, problem: string) {
    super(`${toolName}: ${problem}`);
    this.name = "ToolInputError";
    this.toolName = toolName;
    this.argument = argument;
  }
}
