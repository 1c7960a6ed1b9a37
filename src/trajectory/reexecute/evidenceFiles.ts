import type { SnapshotTree } from "../../fs";
import type { EventData, FileChange } from "../../session";
import type { BlobReader } from "../createReplay";
import type { ComparedFile } from "./divergenceReport";
import { firstDifference } from "./firstDifference";
import { placedPath, type Placement } from "./foreign/placement";
import { holdsUnknown } from "./foreign/unknownText";
import type { Verdict } from "./judgeCall";
import { lineEndings } from "./normalisers";

/** What another program's recording tells of files after a call, as the changes a log of ours would hold. */
export function evidenceChanges(
  result: EventData["action.result"] | undefined,
  placement: Placement,
): readonly FileChange[] {
  return (result?.evidence ?? []).flatMap(({ path, known, blob, sizeBytes }) => {
    const placed = known === "after" ? placedPath(placement, path) : undefined;
    return placed === undefined ? [] : [{ path: placed, after: blob, sizeBytes }];
  });
}

/**
 * The verdict with the files the recording shows whole after the call. One that is known in part only here cannot be
 * compared; line ends of another system are no difference.
 */
export async function withEvidence(
  verdict: Verdict,
  expected: readonly FileChange[],
  tree: SnapshotTree,
  blobs: BlobReader | undefined,
): Promise<Verdict> {
  if (expected.length === 0 || (verdict.class !== "equal" && verdict.class !== "equal after normalisation"))
    return verdict;
  const files: ComparedFile[] = [];
  const normalisers = new Set(verdict.normalisers);
  let difference: Verdict["difference"];
  for (const { path, after = "" } of expected) {
    const file = tree.file(path);
    if (file?.hash === after) {
      files.push({ path, class: "equal", expected: after, actual: after });
      continue;
    }
    const [left, right] = [textOf(await blobs?.get(after)), textOf(await file?.bytes())];
    if (left === undefined || (right !== undefined && holdsUnknown(right))) continue;
    const sides = { path, expected: after, ...(file === undefined ? {} : { actual: file.hash }) };
    const [wanted, found] = [lineEndings.apply(left), right === undefined ? undefined : lineEndings.apply(right)];
    const isSame = wanted === found;
    if (isSame) normalisers.add(lineEndings.name);
    else difference ??= firstDifference(path, wanted, found);
    files.push({ ...sides, class: isSame ? "equal" : file === undefined ? "missing" : "differs" });
  }
  if (files.length === 0) return verdict;
  if (difference !== undefined) {
    const { normalisers: _names, ...rest } = verdict;
    return { ...rest, class: "differs", difference, files };
  }
  if (normalisers.size === 0) return { ...verdict, files };
  return { ...verdict, class: "equal after normalisation", normalisers: [...normalisers], files };
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
