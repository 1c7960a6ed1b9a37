import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { pathToFileURL } from "node:url";
import type { AgentModules } from "./agentHooks";

/** Loads a module of an agent folder, or a `.json` as its own default, by its absolute path. Rejects with what it throws. */
export type LoadModule = (path: string) => Promise<Readonly<Record<string, unknown>>>;

export interface BundledModules extends AgentModules {
  /** Address of the bundled `agentHooks`. */
  readonly hooks: string;
}

/** Sets up Node for the modules of agent folders at the first of them. */
export function moduleLoader({ hooks, library, node }: BundledModules): LoadModule {
  let isSetUp = false;
  return async (path) => {
    if (path.endsWith(".json")) return { default: JSON.parse(await readFile(path, "utf8")) as unknown };
    if (!isSetUp) register<AgentModules>(hooks, { data: { library, node } });
    isSetUp = true;
    return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  };
}
