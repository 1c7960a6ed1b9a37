import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FolderFaults } from "./folderFaults";
import { filesIn, moduleName, modulesIn } from "./folderFiles";
import type { LoadModule } from "./moduleLoader";

/** A connection to a server of tools, as a file of a folder names it. */
export interface FolderConnection {
  readonly name: string;
  readonly url: string;
  readonly advertiseTools: boolean;
}

const FOLDERS = ["mcp-connections", "connections"];

/** The connections of a folder, one a file, each called like its file. */
export async function connectionsIn(
  base: string,
  loadModule: LoadModule,
  faults: FolderFaults,
): Promise<FolderConnection[]> {
  const connections: FolderConnection[] = [];
  for (const folder of FOLDERS) {
    const written = (await filesIn(join(base, folder))).filter((name) => name.endsWith(".json"));
    for (const file of [...(await modulesIn(join(base, folder))), ...written]) {
      const place = `${folder}/${file}`;
      const name = moduleName(file).replace(/\.json$/, "");
      const given = file.endsWith(".json")
        ? await faults.madeBy(place, async () => JSON.parse(await readFile(join(base, place), "utf8")) as unknown)
        : await faults.defaultOf(place, () => loadModule(join(base, place)), "export default defineConnection({ … })");
      if (given === undefined) continue;
      const connection = connectionFrom(name, given);
      if (connection === undefined) {
        faults.add(place, "It names no server.", "Give url, an address that begins with https://.");
      } else if (connections.some((other) => other.name === name)) {
        faults.add(place, `There are two connections ${name}.`, "Keep one of them.");
      } else connections.push(connection);
    }
  }
  return connections;
}

function connectionFrom(name: string, given: unknown): FolderConnection | undefined {
  const { url, advertiseTools } = (given ?? {}) as { readonly url?: unknown; readonly advertiseTools?: unknown };
  if (typeof url !== "string" || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined;
  return { name, url, advertiseTools: advertiseTools === true };
}
