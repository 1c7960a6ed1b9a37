/** Milliseconds of work after which the page has its turn. */
const SLICE_MS = 8;

/** Awaited between two pieces of long work: gives the thread free when it has been held for long enough. */
export function slicedWork(): () => Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < sliceEnd) return;
    await new Promise((resolve) => setTimeout(resolve));
    sliceEnd = performance.now() + SLICE_MS;
  };
}
