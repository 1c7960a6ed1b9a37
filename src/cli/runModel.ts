import {
  createKeyring,
  createModel,
  type JsonObject,
  type Keyring,
  type LanguageModelV4,
  type ModelSettings,
} from "../index";
import { DEMO_MODEL_NAME } from "../model";
import type { CommandOption, GivenOptions } from "./command";
import { failure, usageError } from "./commandError";
import type { Terminal } from "./terminal";

export const modelOptions: Readonly<Record<string, CommandOption>> = {
  model: { value: "NAME", help: `demo, the ${DEMO_MODEL_NAME}, or with --url the server's name of a model` },
  url: {
    value: "URL",
    help: "base address of a server that speaks OpenAI's chat completions, e.g. http://localhost:11434/v1",
  },
  "key-env": { value: "NAME", help: "the environment variable that holds the server's key" },
  temperature: { value: "NUMBER", help: "sent with every request to the server" },
};

/** The model a run asks, and the keys nothing of the run may show. */
export interface ChosenModel {
  readonly settings: ModelSettings;
  readonly model: LanguageModelV4;
  readonly keyring: Keyring;
}

/**
 * The model of the options, else the one the agent names, else the demo planner.
 * @throws CommandError, ModelError
 */
export async function chosenModel(
  given: GivenOptions,
  terminal: Terminal,
  ofAgent: JsonObject | undefined,
): Promise<ChosenModel> {
  const settings = settingsFrom(given, ofAgent);
  const keyring = createKeyring();
  const variable = given.text("key-env");
  if (variable !== undefined) {
    if (settings.kind === "demo") throw usageError("--key-env goes with --url.");
    const key = terminal.environment[variable];
    if (key === undefined || key.trim() === "") throw failure(`The environment variable ${variable} holds no key.`);
    if (URL.canParse(settings.baseUrl)) keyring.set(settings.baseUrl, key);
  }
  return { settings, keyring, model: await createModel(settings, { keyring }) };
}

function settingsFrom(given: GivenOptions, ofAgent: JsonObject = {}): ModelSettings {
  const [name, url] = [given.text("model"), given.text("url")];
  if (url === undefined && (name === "demo" || (name === undefined && ofAgent["kind"] !== "openai-compatible"))) {
    if (given.has("temperature")) throw usageError("--temperature goes with --url.");
    return { kind: "demo", ...(given.has("seed") ? { seed: given.text("seed") as string } : {}) };
  }
  const baseUrl = url ?? textOf(ofAgent["baseUrl"]);
  const modelId = name ?? textOf(ofAgent["modelId"]);
  if (baseUrl === undefined)
    throw usageError(`--model ${name} needs --url, the address of a server; or use --model demo.`);
  if (modelId === undefined) throw usageError("--url needs --model, the server's name of a model.");
  const temperature = given.has("temperature")
    ? temperatureFrom(given.text("temperature") ?? "")
    : ofAgent["temperature"];
  return {
    kind: "openai-compatible",
    baseUrl,
    modelId,
    ...(typeof temperature === "number" ? { temperature } : {}),
  };
}

function temperatureFrom(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 2)) throw usageError(`--temperature takes 0 to 2, not ${text}.`);
  return value;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
