import { isUnder, joinFsPath, validFsPath } from "../../../fs";

/** Where the paths of a recording lie on the tree its calls run on. */
export interface Placement {
  /** The directory the recording's relative paths begin at. */
  readonly cwd: string;
  /** Paths under `recorded` are those under `here`; as they are where absent. */
  readonly root?: { readonly recorded: string; readonly here: string };
}

/** A recorded path as a path of the tree; `undefined` for what can be none. */
export function placedPath({ cwd, root }: Placement, path: string): string | undefined {
  try {
    const absolute = absolutePath(cwd, path.trim());
    if (root === undefined) return validFsPath(absolute);
    const from = validFsPath(posixPath(root.recorded));
    const placed = validFsPath(absolute);
    if (placed !== from && !isUnder(placed, from)) return placed;
    const rest = from === "/" ? placed.slice(1) : placed.slice(from.length + 1);
    return rest === "" ? validFsPath(root.here) : joinFsPath(root.here, rest);
  } catch {
    return undefined;
  }
}

/**
 * A text with every path under the root at its place. A name that only ends or begins like the root is none: of `/app`, neither
 * `src/app` nor `/apple` is.
 */
export function placedText({ recorded, here }: NonNullable<Placement["root"]>, text: string): string {
  const from = recorded.replace(/\/+$/, "");
  if (from === "") return text;
  const below = here === "/" ? "" : here;
  const named = from.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = new RegExp(String.raw`(?<![\w.-])${named}(?=(/)|$|[^\w.-])`, "g");
  return text.replaceAll(pattern, (_, slash: string | undefined) => (slash === undefined ? here : below));
}

function absolutePath(cwd: string, path: string): string {
  return joinFsPath(posixPath(cwd), posixPath(path));
}

/** `C:\a\b` is `/C:/a/b`. */
function posixPath(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path) ? `/${path.replaceAll("\\", "/")}` : path;
}
