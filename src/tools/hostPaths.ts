import type { JsonObject, JsonValue } from "../base";
import { FileNotFoundError, normalizeFsPath, type FileSystem } from "../fs";
import type { ArgumentShape, NativeDefinition } from "./nativeDefinition";
import { untilStopped } from "./stopping";

/**
 * A file tool on a host's disk: a relative path begins at the directory the session works in, which is also what an
 * omitted one means; an absolute path is the host's own, and so is every path in the results. Grep of what is not there
 * is an error there, as ripgrep has it.
 */
export function onHostDirectory(definition: NativeDefinition, cwd: string): NativeDefinition {
  return {
    ...definition,
    arguments: Object.fromEntries(
      Object.entries(definition.arguments).map(([name, argument]) => [name, describedOnHost(argument)]),
    ),
    async run(tree, input, call) {
      const meant = inputOnHost(definition, input, cwd);
      if (definition.name === "Grep") await assertThere(tree, meant["path"] as string, call.signal);
      return await definition.run(tree, meant, call);
    },
  };
}

const SCOPES = ["path", "targetDirectory"] as const;

function inputOnHost(definition: NativeDefinition, input: JsonObject, cwd: string): JsonObject {
  const resolved: Record<string, JsonValue | undefined> = { ...input };
  for (const name of SCOPES) {
    if (definition.arguments[name] === undefined) continue;
    resolved[name] = hostPath((input[name] as string | null | undefined) ?? "", cwd);
  }
  return resolved;
}

function hostPath(path: string, cwd: string): string {
  return normalizeFsPath(path.startsWith("/") ? path : `${cwd}/${path}`);
}

function describedOnHost(argument: ArgumentShape): ArgumentShape {
  const { description } = argument.schema;
  if (typeof description !== "string") return argument;
  const told = description.replace("The whole tree when omitted.", "The session's directory when omitted.");
  return { ...argument, schema: { ...argument.schema, description: told } };
}

/** @throws FileNotFoundError */
async function assertThere(tree: FileSystem, path: string, signal: AbortSignal): Promise<void> {
  if (typeof tree.stat !== "function") return;
  if ((await untilStopped(tree.stat(path), signal)).kind === "missing") throw new FileNotFoundError(path);
}
