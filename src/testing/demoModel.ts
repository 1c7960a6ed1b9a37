import { createModel, type LanguageModelV4 } from "../model";
import { createKeyring } from "../secrets";

/** The demo planner, without any key. */
export async function demoModel(): Promise<LanguageModelV4> {
  return await createModel({ kind: "demo" }, { keyring: createKeyring() });
}
