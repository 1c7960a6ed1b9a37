import type { TrajectoryFormat } from "./format";
import type { FormatFile } from "./importSource";

/** Files that one format knows to belong together by their names, and the archive they lie in. */
export interface FolderClaim {
  readonly format: TrajectoryFormat;
  readonly files: readonly FormatFile[];
  readonly archive?: FormatFile;
}

/** Folders within folders: past it names are not looked at together. */
const DEEPEST = 16;

/**
 * Which files are the parts of something: an archive as a whole, else the innermost folders a format knows, so that what
 * lies beside them is still looked into by itself.
 *
 * @param archives by the folder their entries stand for
 * @param formatOf the format that knows a set of paths
 */
export function folderClaims(
  files: readonly FormatFile[],
  archives: ReadonlyMap<string, FormatFile>,
  formatOf: (paths: readonly string[]) => TrajectoryFormat | undefined,
): FolderClaim[] {
  const claimsIn = (folder: string, inside: readonly FormatFile[], depth: number): FolderClaim[] => {
    const archive = archives.get(folder);
    const prefix = folder === "" ? "" : `${folder}/`;
    const whole = (): FolderClaim[] => {
      if (inside.length < 2 && archive === undefined) return [];
      const format = formatOf(inside.map(({ path }) => path.slice(prefix.length)));
      return format === undefined ? [] : [{ format, files: inside, ...(archive && { archive }) }];
    };
    // The parts of an archive may look like something by themselves.
    const ofArchive = archive === undefined ? [] : whole();
    if (ofArchive.length > 0 || depth >= DEEPEST) return ofArchive;
    const inner = [...subfolders(prefix, inside)].flatMap(([name, within]) => claimsIn(name, within, depth + 1));
    if (archive !== undefined) return inner;
    const outer = whole();
    // A format that reads across files gets what lies around its own folders too: subagents lie within those they work for.
    const isOneFormat =
      outer[0]?.format.acrossFiles === true && inner.every(({ format }) => format === outer[0]?.format);
    return inner.length === 0 || isOneFormat ? outer : inner;
  };
  return together(claimsIn("", files, 0));
}

function subfolders(prefix: string, files: readonly FormatFile[]): Map<string, FormatFile[]> {
  const folders = new Map<string, FormatFile[]>();
  for (const file of files) {
    const end = file.path.indexOf("/", prefix.length);
    if (end === -1) continue;
    const name = file.path.slice(0, end);
    const inside = folders.get(name);
    if (inside === undefined) folders.set(name, [file]);
    else inside.push(file);
  }
  return folders;
}

/** Folders of a format whose sessions lie across files are read at once. */
function together(claims: readonly FolderClaim[]): FolderClaim[] {
  const joined = new Map<TrajectoryFormat, FolderClaim>();
  const apart: FolderClaim[] = [];
  for (const claim of claims) {
    const known = joined.get(claim.format);
    if (claim.archive !== undefined || claim.format.acrossFiles !== true) apart.push(claim);
    else joined.set(claim.format, known === undefined ? claim : { ...known, files: [...known.files, ...claim.files] });
  }
  return [...joined.values(), ...apart];
}
