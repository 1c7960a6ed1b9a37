import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { expect, test } from "@playwright/test";

/** The library as somebody has it who installed the package: what `npm pack` takes, and nothing else of this project. */
const home = mkdtempSync(join(tmpdir(), "rootscope-library-"));
const installed = join(home, "node_modules/rootscope");

test.describe.configure({ mode: "serial" });
test.beforeAll(() => {
  execFileSync(process.execPath, ["scripts/buildLibrary.mjs"]);
  const [pack] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", home], { encoding: "utf8" }),
  ) as { filename: string }[];
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", join(home, pack?.filename ?? ""), "--strip-components=1", "-C", installed]);
  writeFileSync(join(home, "package.json"), '{ "type": "module" }');
});

test.afterAll(() => rmSync(home, { recursive: true }));

const PROGRAM = `
import {
  agentSession, createKeyring, createModel, defineAgent, definitionHash, definitionJson, defineTool, DiscoveryError,
  FileNotFoundError, runTurn, seededRandom, sessionIdFromSeed, sessionIdsAt, startSession, systemClock, tempFs, unionFs,
} from "rootscope";

const tree = unionFs({ "/repo": tempFs({ "/src/a.ts": "const needle = 1;\\n" }), "/plans": tempFs({}) });
const agent = defineAgent({ name: "reader", instructions: "Read.", root: tree });
const shout = defineTool({ name: "shout", description: "Shouts.", inputSchema: { type: "object" }, execute: () => "X" });
await tree.write("/plans/todo.md", "find the needle");
const hits = [];
for await (const hit of tree.grep({ pattern: "needle" })) hits.push(\`\${hit.path}:\${hit.lineNumber}\`);
const passages = [];
for await (const passage of tree.search({ query: "needle" })) passages.push(passage.path);
const missing = await tree.read("/plans/none").catch((error) => error instanceof FileNotFoundError && error.code);
let faults = 0;
try {
  defineAgent({ name: "", instructions: 3, tools: ["nosuch"] });
} catch (error) {
  if (error instanceof DiscoveryError) faults = error.faults.length;
}
const seed = "s";
const sessionId = sessionIdFromSeed(seed);
const ids = sessionIdsAt(seed, 0, systemClock);
const events = startSession({
  seed, ids, clock: systemClock, agentId: agent.name, definition: definitionJson(agent), definitionHash: definitionHash(agent),
  model: { kind: "demo" }, tools: [], mounts: [], snapshot: "",
});
const services = {
  model: await createModel({ kind: "demo" }, { keyring: createKeyring() }),
  ids, clock: systemClock, random: seededRandom(seed),
  blobs: { put: async () => "" }, durable: async () => {}, keep: async () => {},
};
const turn = { bound: agentSession(agent, { sessionId }), events, signal: new AbortController().signal, services };
for await (const event of runTurn({ ...turn, message: "Append more to /plans/todo.md" })) events.push(event);
const end = [events.at(-2).type, (await tree.read("/plans/todo.md")).split("\\n")[1]].join();
const result = [agent.name, shout.name, hits.join(), passages.toSorted().join(), missing, faults, end].join(" ");
`;
const RESULT =
  "reader shout /plans/todo.md:1,/repo/src/a.ts:1 /plans/todo.md,/repo/src/a.ts not-found 3 turn.completed,more";

test("runs in Node, beside a directory of the computer, and lets the process end", () => {
  const program = `${PROGRAM}
import { nodeFs } from "rootscope/node";
await nodeFs(${JSON.stringify(home)}).write("/made/by.txt", "node");
console.log(result);`;
  writeFileSync(join(home, "program.js"), program);
  expect(execFileSync(process.execPath, ["program.js"], { cwd: home, encoding: "utf8" })).toBe(`${RESULT}\n`);
  expect(readFileSync(join(home, "made/by.txt"), "utf8")).toBe("node");
});

test("has types, by the rules of Node and of bundlers, that know right from wrong", () => {
  const compiler = resolve("node_modules/typescript/bin/tsc");
  const check = (text: string, moduleResolution: "nodenext" | "bundler") => {
    writeFileSync(join(home, "typed.ts"), text);
    const args = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"];
    const module = moduleResolution === "nodenext" ? "nodenext" : "esnext";
    const rules = ["--module", module, "--moduleResolution", moduleResolution, "--skipLibCheck"];
    return spawnSync(process.execPath, [compiler, ...args, ...rules, "typed.ts"], { cwd: home, encoding: "utf8" })
      .stdout;
  };
  const right = `
import { defineAgent, tempFs, unionFs, type AgentDefinition, type FileSystem } from "rootscope";
import { nodeFs } from "rootscope/node";
const tree: FileSystem = unionFs({ "/": tempFs({ "/a": "x" }), "/disk": nodeFs("/tmp") });
export const agent: AgentDefinition = defineAgent({ name: "a", instructions: "b", root: tree, tools: ["read"] });
export const text: Promise<string | Uint8Array> = tree.read("/a");
`;
  expect(check(right, "nodenext")).toBe("");
  expect(check(right, "bundler")).toBe("");
  expect(check(`import { tempFs } from "rootscope"; tempFs({}).read(7);`, "nodenext")).toContain("TS2345");
});

test("runs in a bare page, served as files", async ({ page }) => {
  const server = await servedFolder(home);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => problems.push(message.text()));
  try {
    const program = PROGRAM.replace('"rootscope"', '"./node_modules/rootscope/dist-lib/index.js"');
    writeFileSync(
      join(home, "page.html"),
      `<!doctype html><link rel="icon" href="data:," /><script type="module">${program}; document.title = result;</script>`,
    );
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`);
    await expect(page).toHaveTitle(RESULT);
    expect(problems).toEqual([]);
  } finally {
    server.close();
  }
});

async function servedFolder(folder: string): Promise<Server> {
  const kinds: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };
  const server = createServer((request, response) => {
    const path = join(folder, decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname));
    try {
      const body = readFileSync(path);
      response.writeHead(200, { "content-type": kinds[extname(path)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return server;
}
