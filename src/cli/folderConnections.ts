import { join } from "node:path";
import { defineConnection, type ConnectionDefinition } from "../index";
import type { FolderFaults } from "./folderFaults";
import { filesIn, moduleName, modulesIn } from "./folderFiles";
import type { LoadModule } from "./moduleLoader";

const FOLDERS = ["mcp-connections", "connections"];

/** The connections of a folder, one a file, each called like its file. */
export async function connectionsIn(
  base: string,
  loadModule: LoadModule,
  faults: FolderFaults,
): Promise<ConnectionDefinition[]> {
  const connections: ConnectionDefinition[] = [];
  for (const folder of FOLDERS) {
    const written = (await filesIn(join(base, folder))).filter((name) => name.endsWith(".json"));
    for (const file of [...(await modulesIn(join(base, folder))), ...written]) {
      const place = `${folder}/${file}`;
      const load = () => loadModule(join(base, place));
      const given = await faults.defaultOf(place, load, "export default defineConnection({ … })");
      if (given === undefined) continue;
      const name = moduleName(file).replace(/\.json$/, "");
      const connection = await faults.madeBy(place, () => connectionFrom(name, given));
      if (connections.some((other) => other.name === connection?.name)) {
        faults.add(place, `There are two connections ${connection?.name}.`, "Keep one of them.");
      } else if (connection !== undefined) connections.push(connection);
    }
  }
  return connections;
}

function connectionFrom(name: string, given: unknown): ConnectionDefinition {
  const definition = given as ConnectionDefinition;
  if (typeof given !== "object" || given === null) return defineConnection(definition);
  return defineConnection({ ...definition, name: definition.name ?? name });
}
