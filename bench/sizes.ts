/** How much is measured: the full sizes of docs/performance.md, or small ones for a quick look. */
export interface Sizes {
  /** Files of about 2 KiB that are written, listed and read. */
  readonly files: number;
  /** The same for peers that take minutes for what others do in a second. */
  readonly peerFiles: number;
  /** Files of the tree that is opened cold. */
  readonly openFiles: number;
  /** Files of the larger and the smaller tree that are reopened. */
  readonly reopenFiles: readonly [large: number, small: number];
  /** Files of the trees whose growth is shown. */
  readonly growth: readonly number[];
  /** The largest tree: files of a mebibyte and files of 2 KiB. */
  readonly scale: { readonly largeFiles: number; readonly smallFiles: number };
  readonly runs: number;
}

export const fullSizes: Sizes = {
  files: 10_000,
  peerFiles: 1_000,
  openFiles: 50_000,
  reopenFiles: [100_000, 10_000],
  growth: [1_000, 10_000, 100_000],
  scale: { largeFiles: 1_024, smallFiles: 100_000 },
  runs: 5,
};

export const quickSizes: Sizes = {
  files: 2_000,
  peerFiles: 200,
  openFiles: 10_000,
  reopenFiles: [20_000, 2_000],
  growth: [1_000, 10_000],
  scale: { largeFiles: 32, smallFiles: 5_000 },
  runs: 3,
};
