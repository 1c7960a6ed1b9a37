import { HostError } from "./host";

/**
 * Holds the one lock of a project's host, so that no two tabs run commands on one disk. Resolves with what lets it go; where
 * the browser has no locks (plain HTTP), nothing is held.
 * @throws HostError `busy-tab` when another tab holds it
 */
export async function holdHostLock(name: string): Promise<() => void> {
  const locks = (globalThis.navigator as { readonly locks?: LockManager } | undefined)?.locks;
  if (locks === undefined) return () => undefined;
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await new Promise<void>((resolve, reject) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          reject(
            new HostError(
              "busy-tab",
              "Another tab runs commands on this project's disk, and only one may. Go on in that tab, or close it and try again.",
              { retry: true },
            ),
          );
          return undefined;
        }
        resolve();
        return held;
      })
      .catch(reject);
  });
  return letGo;
}
