import { join } from "node:path";
import { defineTool, type Tool, type ToolDefinition } from "../index";
import type { FolderFaults } from "./folderFaults";
import { moduleName, modulesIn } from "./folderFiles";
import type { LoadModule } from "./moduleLoader";

/** The tools of a folder's `tools/`, one a file, each called like its file. */
export async function toolsIn(base: string, loadModule: LoadModule, faults: FolderFaults): Promise<Tool[]> {
  const tools: Tool[] = [];
  for (const file of await modulesIn(join(base, "tools"))) {
    const place = `tools/${file}`;
    const name = moduleName(file);
    const load = () => loadModule(join(base, place));
    const given = await faults.defaultOf(place, load, "export default defineTool({ … })");
    if (given === undefined) continue;
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
  }
  return tools;
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
