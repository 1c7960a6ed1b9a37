import type { JsonObject, JsonValue } from "../base";

/** What one call is told by the loop that makes it. */
export interface ToolCall {
  readonly callId: string;
  readonly sessionId: string;
  /** Once it fires the tool stops, also in the middle of an iteration, with an `AbortError`. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970; a session's frozen instant where it has one. */
  now(): number;
  /** A snapshot of the output so far; the last one wins. Never throws. */
  report(partial: JsonValue): void;
  /** Says which mount served the call, for a tool that goes to it by other ways than the tree. Never throws. */
  served?(served: { readonly mount: string; readonly path: string; readonly verb: string }): void;
  /**
   * Puts a text too large to show into a file of the turn's own and answers its path (docs/filesystem.md, section 5).
   * Absent where there is no such place.
   * @throws PathError
   */
  spill?(text: string): Promise<string>;
}

/** Where a tool comes from that no one here made. */
export interface McpOrigin extends JsonObject {
  /** The connection's name in this project. */
  readonly connection: string;
  /** The tool's own name, as its server says it. */
  readonly tool: string;
}

/** `always`: neither dry run nor approval stands before it. */
export type ToolEffect = "read" | "write" | "always";

export interface ImagePart {
  readonly type: "image";
  readonly base64: string;
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
  readonly mediaType: string;
}

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** One part of what a model reads when plain text is not enough. */
export type ModelContent = TextPart | ImagePart;

/** A tool as the loop runs it and the model is offered it (docs/tools.md). */
export interface Tool {
  /** The model-facing name, e.g. `Read`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an open object: keys it does not name are kept and forwarded. */
  readonly inputSchema: JsonObject;
  readonly effect: ToolEffect;
  /** Made here from a tree or by the harness; its effect cannot be relabelled. */
  readonly native: boolean;
  /** Set for a tool of an MCP server: which connection serves it, and under which name (docs/connections.md). */
  readonly mcp?: McpOrigin;
  /** `agent` for a script that a shell runs; beside the loop where absent. */
  readonly execution?: "server" | "agent";
  /** Every call of it waits for a person. */
  readonly needsApproval?: boolean;
  /** What a dry run answers in place of a write; `Operation acknowledged.` where absent. */
  readonly dryRunResult?: JsonValue;
  /** Input properties that carry time bounds, checked in sessions with a frozen instant. */
  readonly timeArgs?: readonly string[];
  /**
   * The whole check of the input on its own, for a call that is not run at once: a stub, or one a person is asked about.
   * The schema alone is checked where it is absent.
   * @throws ToolInputError
   */
  check?(input: JsonObject): Promise<void>;
  /**
   * The structured success value. `input` may use aliases; they are read here too.
   * @throws ToolInputError for arguments, PathError from the tree, an `AbortError` once the signal fires
   */
  execute(input: JsonObject, call: ToolCall): Promise<JsonValue>;
  /** What the model reads, derived from the success value alone. Never throws. */
  modelText(output: JsonValue, input: JsonObject): string | readonly ModelContent[];
}
