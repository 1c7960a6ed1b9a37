import type { JsonObject } from "../base";

/** A tool as it was told to the model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}
