import { normalizeFsPath } from "../../fs";
import type { HostCommand, HostCommandContext, HostCommandResult } from "../embedded/hostCommand";
import { NodeLiteError } from "./nodeError";
import { runNodeScript, type NodeScript } from "./runNodeScript";

const VERSION = "v0.0.0-quickjs (QuickJS, not Node.js: the WebContainer host runs the real one)";
const USAGE =
  "node here is QuickJS. It takes: node <file> [args] · node -e <script> · node -p <expression> · node - (script from standard input) · node -v";

/** `node` by QuickJS (docs/hosts.md): scripts without packages. */
export const nodeCommand: HostCommand = {
  name: "node",
  summary: "scripts in QuickJS, not the real Node",
  async run(args, context) {
    try {
      const [first] = args;
      if (first === "-v" || first === "--version") return { stdout: `${VERSION}\n`, stderr: "", exitCode: 0 };
      if (first === "-h" || first === "--help") return { stdout: `${USAGE}\n`, stderr: "", exitCode: 0 };
      const script = await scriptOf(args, context);
      return typeof script === "string" ? failed(script, 1) : await runNodeScript(script, context);
    } catch (error) {
      if (!(error instanceof NodeLiteError)) throw error;
      return failed(`node: ${error.message}`, error.code === "usage" ? 9 : 1);
    }
  },
};

function failed(message: string, exitCode: number): HostCommandResult {
  return { stdout: "", stderr: `${message}\n`, exitCode };
}

/** The script the words name, or what is said where there is none. @throws NodeLiteError `usage` */
async function scriptOf(args: readonly string[], context: HostCommandContext): Promise<NodeScript | string> {
  const [first, second] = args;
  const inPlace = (source: string, rest: readonly string[], printsValue: boolean): NodeScript => ({
    source,
    file: `${context.cwd === "/" ? "" : context.cwd}/[eval]`,
    argv: ["/usr/bin/node", ...rest],
    printsValue,
  });
  if (first === undefined || first === "-") {
    if (context.stdin.length === 0) throw new NodeLiteError("usage", `there is no prompt here. ${USAGE}`);
    return inPlace(new TextDecoder().decode(context.stdin), args.slice(1), false);
  }
  if (["-e", "--eval", "-p", "--print", "-pe"].includes(first)) {
    if (second === undefined) throw new NodeLiteError("usage", `${first} requires an argument`);
    return inPlace(second, args.slice(2), first !== "-e" && first !== "--eval");
  }
  if (first.startsWith("-")) throw new NodeLiteError("usage", `bad option: ${first}\n${USAGE}`);
  const file = first.startsWith("/") ? first : `${context.cwd}/${first}`;
  for (const ending of ["", ".js", ".mjs", ".cjs", "/index.js"]) {
    const place = normalizeFsPath(file + ending);
    if (!(await context.disk.exists(place)) || (await context.disk.stat(place)).kind !== "file") continue;
    const source = new TextDecoder().decode(await context.disk.readFile(place));
    return { source, file: place, argv: ["/usr/bin/node", place, ...args.slice(1)], printsValue: false };
  }
  return `Error: Cannot find module '${normalizeFsPath(file)}'`;
}
