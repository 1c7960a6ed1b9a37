import { join } from "node:path";
import type { AuthoredTool } from "../agent";
import { defineTool, type Tool, type ToolDefinition } from "../tools";
import type { FolderFaults } from "./folderFaults";
import { moduleName, modulesIn } from "./folderFiles";
import type { LoadModule } from "./moduleLoader";

/** The tools of a folder's `tools/`, one a file, each called like its file. */
export async function toolsIn(
  base: string,
  loadModule: LoadModule,
  faults: FolderFaults,
): Promise<{ readonly tools: readonly Tool[]; readonly authored: readonly AuthoredTool[] }> {
  const tools: Tool[] = [];
  const authored: AuthoredTool[] = [];
  for (const file of await modulesIn(join(base, "tools"))) {
    const place = `tools/${file}`;
    const name = moduleName(file);
    const load = () => loadModule(join(base, place));
    const given = await faults.defaultOf(place, load, "export default defineTool({ … })");
    if (given === undefined) continue;
    const { execution } = (given ?? {}) as AuthoredTool;
    // A script the agent runs itself is no tool of the loop.
    if (execution === "agent") {
      authored.push({ name, execution });
      continue;
    }
    const tool = isTool(given) ? given : await faults.madeBy(place, () => toolFrom(name, given));
    if (tool === undefined) continue;
    if (tool.name !== name) {
      faults.warn(
        place,
        `The tool in it is called ${tool.name}.`,
        `Call the file ${tool.name} too, or leave the name out.`,
      );
    }
    tools.push(tool);
    authored.push(tool);
  }
  return { tools, authored };
}

/** Whether `defineTool` has made it. */
function isTool(given: unknown): given is Tool {
  return (
    typeof given === "object" && given !== null && typeof (given as Tool).modelText === "function" && "native" in given
  );
}

function toolFrom(name: string, given: unknown): Tool {
  const definition = given as ToolDefinition<never>;
  return defineTool({ ...definition, name: definition.name ?? name });
}
