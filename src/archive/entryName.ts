/**
 * Tells why a name from an archive or an upload cannot become a path, or `undefined` when it can. A name that climbs
 * (`..`) or is absolute is refused, never repaired: that entry was made to land somewhere else (docs/filesystem.md,
 * section 2).
 */
export function entryNameProblem(name: string): string | undefined {
  if (name === "") return "it has no name";
  if (name.includes("\0")) return "its name holds a NUL character";
  if (!name.isWellFormed()) return "its name is not valid Unicode";
  if (name.startsWith("/") || name.startsWith("\\") || /^[A-Za-z]:[\\/]/.test(name)) return "its path is absolute";
  const segments = name.replace(/\/$/, "").split(/[\\/]/);
  if (segments.includes("..")) return "its path holds “..”";
  if (segments.some((segment) => segment === "" || segment === ".")) return "its path has an empty part or “.”";
  return undefined;
}
