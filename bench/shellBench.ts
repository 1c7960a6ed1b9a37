import { Bash, InMemoryFs } from "just-bash/browser";
import { deleteProjectDatabase, idbFs, openProjectDatabase } from "../src/fs";
import { embeddedHost, HOST_ROOT } from "../src/host";
import { alternatedMs, figureFromRuns, timedMs, type Figure } from "./measure";
import { sampleFiles } from "./sampleFiles";

const COMMANDS: Readonly<Record<string, string>> = {
  find: "find . -name '*.ts' > /dev/null",
  "grep -r": "grep -r zqxjkv_nowhere . > /dev/null",
  "ls -R": "ls -R > /dev/null",
  rg: "rg zqxjkv_nowhere > /dev/null",
};

/**
 * The embedded host, its worker and its disk in IndexedDB included, against the same package over its own tree in memory,
 * in the page itself.
 */
export async function shellFigures(fileCount: number, runCount: number): Promise<Figure[]> {
  const name = "bench-shell";
  await deleteProjectDatabase(name);
  const files = sampleFiles(fileCount);
  const database = await openProjectDatabase(name);
  const disk = idbFs({ database, disk: "host" });
  await disk.writeMany(files);
  const host = embeddedHost({ database, diskName: "host", disk });
  const figures = [figureFromRuns("shell boot", "ms", [await timedMs(() => host.boot())])];
  const memory = new InMemoryFs(Object.fromEntries(files.map(([path, text]) => [HOST_ROOT + path, text])));
  const bash = new Bash({ fs: memory, cwd: HOST_ROOT, defenseInDepth: false });
  for (const [what, command] of Object.entries(COMMANDS)) {
    const hostRun = async () => assertRan(await host.shell(command));
    const memoryRun = async () => assertRan(await bash.exec(command));
    figures.push(...(await alternatedMs({ [`shell ${what}`]: hostRun, [`inMemoryFs ${what}`]: memoryRun }, runCount)));
  }
  await host.dispose();
  await disk.close();
  database.close();
  await deleteProjectDatabase(name);
  return figures;
}

/** What finds nothing ends with 1. */
function assertRan({ exitCode, stderr }: { readonly exitCode: number; readonly stderr: string }): void {
  if (exitCode > 1 || stderr !== "") throw new Error(`exit code ${exitCode}: ${stderr}`);
}
