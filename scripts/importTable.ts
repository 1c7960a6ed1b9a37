/**
 * Who may import whom (ARCHITECTURE.md). A folder imports other folders of `src` by their `index.ts` only; `types` lists
 * the folders of which only types may be used.
 */
export interface ImportRule {
  readonly folders: readonly string[];
  readonly types?: readonly string[];
  readonly packages?: readonly string[];
}

const HEADLESS = [
  "base",
  "archive",
  "secrets",
  "fs",
  "model",
  "host",
  "agent",
  "tools",
  "mcp",
  "session",
  "trajectory",
  "experiment",
  "eval",
  "storage",
  "store",
];

export const importTable: Readonly<Record<string, ImportRule>> = {
  base: { folders: [] },
  archive: { folders: ["base"], packages: ["fflate", "fzstd"] },
  secrets: { folders: ["base"] },
  fs: { folders: ["base", "archive"], packages: ["idb-keyval", "minimatch", "minisearch", "aws4fetch"] },
  model: { folders: ["base", "secrets"], packages: ["@ai-sdk/*"] },
  host: {
    folders: ["base", "fs"],
    packages: [
      "just-bash",
      "@webcontainer/api",
      "isomorphic-git",
      "buffer",
      "diff",
      "quickjs-emscripten-core",
      "@jitl/quickjs-wasmfile-release-sync",
      "pyodide",
    ],
  },
  tools: { folders: ["base", "fs"], types: ["host"], packages: ["diff", "htmlparser2", "zod"] },
  agent: { folders: ["base", "fs", "tools"], types: ["host", "model"], packages: ["zod"] },
  mcp: {
    folders: ["base", "tools", "secrets"],
    packages: ["@modelcontextprotocol/client", "@modelcontextprotocol/server"],
  },
  session: { folders: ["base", "fs", "tools", "agent", "model", "mcp"], types: ["host"] },
  trajectory: { folders: ["base", "fs", "archive", "tools", "agent", "model", "session"] },
  experiment: { folders: ["base", "fs", "session", "trajectory", "eval"], types: ["agent"] },
  eval: { folders: ["base", "fs", "session"], types: ["agent"] },
  storage: { folders: ["base", "fs"], types: ["session"], packages: ["idb-keyval"] },
  store: { folders: HEADLESS, packages: ["zustand"] },
  views: {
    folders: ["base", "store"],
    types: HEADLESS,
    packages: [
      "react",
      "react-dom",
      "monaco-editor",
      "zustand",
      "radix-ui",
      "react-resizable-panels",
      "@tanstack/react-virtual",
      "cmdk",
      "lucide-react",
      "react-markdown",
    ],
  },
  // `index` is the public entry itself.
  cli: { folders: [...HEADLESS, "index"] },
  examples: { folders: [] },
  testing: { folders: HEADLESS },
};

/** Packages one may use in several folders although the table gives them to some. */
export const packageOwners: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...new Set(Object.values(importTable).flatMap((rule) => rule.packages ?? []))].map((name) => [
    name,
    Object.keys(importTable).filter((folder) => importTable[folder]?.packages?.includes(name)),
  ]),
);

export interface Import {
  readonly file: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

const STATEMENT =
  /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:([\w*{}\s,$]+?)\s+from\s+)?["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']\s*\)|new URL\(\s*["'](\.[^"'\n]+)["']\s*,\s*import\.meta\.url/g;

/** Every import, re-export, dynamic import and worker address in a source text. */
export function importsOf(file: string, text: string): Import[] {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return [...bare.matchAll(STATEMENT)].map((match) => {
    const names = match[3]?.trim();
    const inner = names?.startsWith("{")
      ? names
          .slice(1, -1)
          .split(",")
          .map((name) => name.trim())
          .filter(Boolean)
      : [];
    const allTypes = inner.length > 0 && inner.every((name) => name.startsWith("type "));
    return {
      file,
      specifier: match[4] ?? match[5] ?? match[6] ?? "",
      typeOnly: match[2] !== undefined || allTypes,
    };
  });
}
