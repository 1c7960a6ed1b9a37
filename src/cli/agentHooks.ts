import { readFile } from "node:fs/promises";
import type { LoadHook, ResolveFnOutput, ResolveHook, ResolveHookContext } from "node:module";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { isNodeError } from "./isNodeError";

/**
 * How the modules of an agent folder are loaded (`node:module`'s `register`; Node runs this file on a thread of its own):
 * TypeScript by name with or without its ending, and `rootscope` as the very library the command line runs on.
 */
export interface AgentModules {
  /** Addresses of the bundled library. */
  readonly library: string;
  readonly node: string;
}

/** The library as an agent's own file sees it; the file's name stands behind it. */
const DECLARING = "rootscope-declaring:";
const TYPESCRIPT = /\.m?ts$/;

let modules: AgentModules;

export function initialize(given: AgentModules): void {
  modules = given;
}

export const resolve: ResolveHook = async (specifier, context, next) => {
  if (specifier === "rootscope/node") return { url: modules.node, shortCircuit: true };
  if (specifier === "rootscope") {
    const file = (context.parentURL ?? "").split("/").at(-1) ?? "";
    return { url: `${DECLARING}${file.replace(/\.\w+$/, "")}`, shortCircuit: true };
  }
  try {
    return await next(specifier, context);
  } catch (error) {
    const found = isRelative(specifier)
      ? await resolvedTypeScript(specifier, (other) => next(other, context))
      : await resolvedPackage(specifier, context, next);
    if (found !== undefined) return found;
    throw error;
  }
};

function isRelative(specifier: string): boolean {
  return /^\.{1,2}\//.test(specifier);
}

/** A folder without packages of its own has those of the library, such as a library of schemas. */
async function resolvedPackage(
  specifier: string,
  context: ResolveHookContext,
  next: Parameters<ResolveHook>[2],
): Promise<ResolveFnOutput | undefined> {
  try {
    return await next(specifier, { ...context, parentURL: modules.library });
  } catch {
    return undefined;
  }
}

/** What TypeScript finds where Node does not: `./a` and `./a.js` may be `./a.ts`. */
async function resolvedTypeScript(
  specifier: string,
  next: (specifier: string) => ResolveFnOutput | Promise<ResolveFnOutput>,
): Promise<ResolveFnOutput | undefined> {
  const written = specifier.replace(/\.(m?)js$/, ".$1ts");
  for (const other of written === specifier ? [`${specifier}.ts`, `${specifier}/index.ts`] : [written]) {
    try {
      return await next(other);
    } catch (error) {
      if (!isNodeError(error)) throw error;
    }
  }
  return undefined;
}

export const load: LoadHook = async (url, context, next) => {
  if (url.startsWith(DECLARING)) {
    return { format: "module", source: declaringSource(url.slice(DECLARING.length)), shortCircuit: true };
  }
  if (!url.startsWith("file:") || !TYPESCRIPT.test(new URL(url).pathname)) return next(url, context);
  const file = fileURLToPath(url);
  return { format: "module", source: await javaScriptFrom(file), shortCircuit: true };
};

async function javaScriptFrom(file: string): Promise<string> {
  const { transformWithOxc } = await import("vite");
  try {
    return (await transformWithOxc(await readFile(file, "utf8"), file, { target: "es2022" })).code;
  } catch (error) {
    throw syntaxError(error);
  }
}

/** What is wrong with a text and where, in a line. */
function syntaxError(error: unknown): unknown {
  const [first] = (error as { readonly errors?: readonly Partial<SyntaxFault>[] }).errors ?? [];
  if (first?.message === undefined || first.loc === undefined) return error;
  const [said = ""] = stripVTControlCharacters(first.message).split("\n");
  return new SyntaxError(
    `${said.replace(/^\[\w+\]\s*/, "")} (line ${first.loc.line}, column ${first.loc.column + 1}).`,
  );
}

interface SyntaxFault {
  readonly message: string;
  readonly loc: { readonly line: number; readonly column: number };
}

/**
 * In a folder a file's name is what it defines is called, and an agent's name and instructions may stand beside its file:
 * `defineAgent` only declares there, and the whole is checked once it is together.
 */
function declaringSource(fileName: string): string {
  const library = JSON.stringify(modules.library);
  const name = JSON.stringify(decodeURIComponent(fileName));
  return [
    `import * as library from ${library};`,
    `export * from ${library};`,
    "export const defineAgent = (definition) => definition;",
    `export const defineTool = (definition) => library.defineTool({ name: ${name}, ...definition });`,
    `export const defineConnection = (definition) => library.defineConnection({ name: ${name}, ...definition });`,
    "",
  ].join("\n");
}
