import { limits } from "./limits";

/**
 * What `read` answers for each item, in their order, with some of them being read at a time: to wait for one read
 * after the other takes far longer than what is read. Items whose sizes (`sizeOf`, in bytes) together pass `sizeLimit` wait.
 * @throws what `read` throws, when its turn comes
 */
export async function* readAhead<T, R>(
  items: Iterable<T>,
  read: (item: T) => Promise<R>,
  {
    sizeOf,
    count = limits.readAheadItems,
    sizeLimit = limits.readAheadItemBytes,
  }: { readonly sizeOf: (item: T) => number; readonly count?: number; readonly sizeLimit?: number },
): AsyncGenerator<readonly [T, R], void, undefined> {
  const waiting: { readonly item: T; readonly size: number; readonly result: Promise<R> }[] = [];
  let size = 0;
  for (const item of items) {
    const own = sizeOf(item);
    for (let first = waiting[0]; first && (waiting.length >= count || size + own > sizeLimit); first = waiting[0]) {
      waiting.shift();
      yield [first.item, await first.result];
      size -= first.size;
    }
    const result = read(item);
    // It is thrown where it is awaited, which may be later than it comes.
    result.catch(() => undefined);
    waiting.push({ item, size: own, result });
    size += own;
  }
  for (const { item, result } of waiting) yield [item, await result];
}
