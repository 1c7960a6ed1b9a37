/** The row a key leads to from the one at `index`; none for a key that leads nowhere. */
export function rowByKey(key: string, index: number, rowCount: number): number | undefined {
  const next = {
    j: index + 1,
    ArrowDown: index + 1,
    k: index - 1,
    ArrowUp: index - 1,
    Home: 0,
    End: rowCount - 1,
  }[key];
  return next === undefined ? undefined : Math.max(0, Math.min(rowCount - 1, next));
}
