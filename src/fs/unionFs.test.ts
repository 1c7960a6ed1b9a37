import { customFs } from "./customFs.suite";
import { describeAgainstModel } from "./fileSystemModel.suite";
import type { FileSystem } from "./fileSystem";
import { forkFs } from "./forkFs";
import { isUnder } from "./path";
import { tempFs } from "./tempFs";
import { unionFs } from "./unionFs";

/** The files spread over mounts at `/`, `/a`, `/a/b` and `/🙂`. */
function spread(
  files: Readonly<Record<string, string | Uint8Array>>,
  leaf = tempFs as (files: Record<string, string | Uint8Array>) => FileSystem,
) {
  const mounts = ["/", "/a", "/a/b", "/🙂"];
  const parts = Object.fromEntries(mounts.map((prefix) => [prefix, {} as Record<string, string | Uint8Array>]));
  for (const [path, contents] of Object.entries(files)) {
    const prefix = mounts.findLast((mount) => isUnder(path, mount)) ?? "/";
    (parts[prefix] ??= {})[prefix === "/" ? path : path.slice(prefix.length)] = contents;
  }
  return unionFs(Object.fromEntries(mounts.map((prefix) => [prefix, leaf(parts[prefix] ?? {})])));
}
const fixed = ["/a", "/a/b", "/🙂"];

describeAgainstModel("unionFs of several tempFs", (files) => spread(files), {
  fixed,
  notAtomic: "a union writes to each mount in turn",
});
describeAgainstModel("unionFs of forks of custom trees", (files) => spread(files, (part) => forkFs(customFs(part))), {
  fixed,
  notAtomic: "a union writes to each mount in turn",
});
