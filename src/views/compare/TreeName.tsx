/** A tree by the first letters of the fingerprint of all it holds. */
export function TreeName({ hash }: { readonly hash: string | undefined }) {
  return (
    <span
      className="mono"
      title="All the files a run begins with, named by a fingerprint of their paths and contents: the same letters are the same files."
    >
      {`tree ${hash?.slice(0, 6) ?? "……"}`}
    </span>
  );
}
