/** At most so often, in ms, what is being read is shown anew: its rows are gone through each time, as many as there are by then. */
const SHOWN_EVERY_MS = 150;

/** Does something now and then, the more seldom the longer it takes. */
export function seldom(work: () => void): () => void {
  let nextAt = 0;
  return () => {
    const begin = performance.now();
    if (begin < nextAt) return;
    work();
    const end = performance.now();
    nextAt = end + SHOWN_EVERY_MS + 10 * (end - begin);
  };
}
