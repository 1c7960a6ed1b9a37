import { isUnder } from "../fs";

/** The mount that serves a path: the one with the longest prefix. */
export function mountAt<Mount extends { readonly prefix: string }>(
  mounts: readonly Mount[],
  path: string,
): Mount | undefined {
  let best: Mount | undefined;
  for (const mount of mounts) {
    if (isUnder(path, mount.prefix) && mount.prefix.length > (best?.prefix.length ?? -1)) best = mount;
  }
  return best;
}
