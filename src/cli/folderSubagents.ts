import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AuthoredSubagent } from "../index";
import type { FolderFaults } from "./folderFaults";
import { entriesIn, filesIn } from "./folderFiles";
import type { LoadModule } from "./moduleLoader";

/** The subagents of a folder's `subagents/`, each in a folder of its own. */
export async function subagentsIn(
  base: string,
  loadModule: LoadModule,
  faults: FolderFaults,
): Promise<AuthoredSubagent[]> {
  const subagents: AuthoredSubagent[] = [];
  for (const { name, isFolder } of await entriesIn(join(base, "subagents"))) {
    if (!isFolder) continue;
    const place = `subagents/${name}`;
    const entries = await entriesIn(join(base, place));
    const has = (part: string) => entries.some((entry) => entry.isFolder && entry.name === part);
    const file = (await filesIn(join(base, place))).find((each) => /^agent\.(m?[jt]s|json)$/.test(each));
    const definition = `${place}/${file}`;
    const load = () => loadModule(join(base, definition));
    const given =
      file === undefined ? {} : await faults.defaultOf(definition, load, "export default defineAgent({ … })");
    const { description, runtime, ...rest } = (given ?? {}) as Readonly<Record<string, unknown>>;
    const instructions = (await textOf(join(base, place, "instructions.md"))) ?? rest["instructions"];
    if (typeof description !== "string" || description.trim() === "") {
      faults.add(`${place}: description`, "It is missing.", "Say what the subagent is for, so that it can be chosen.");
    }
    subagents.push({
      name,
      ...(typeof description === "string" ? { description } : {}),
      ...(typeof instructions === "string" ? { instructions } : {}),
      hasRuntime: runtime !== undefined,
      hasTools: has("tools"),
      hasSkills: has("skills"),
      hasConnections: has("mcp-connections") || has("connections"),
    });
  }
  return subagents;
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
