const PREFIX = "rootscope-";

/** Small things remembered for this browser. Where that is refused (a private window), they last as long as the page. */
const page = new Map<string, string>();

export const browserMemory = {
  get(key: string): string | undefined {
    try {
      return localStorage.getItem(PREFIX + key) ?? undefined;
    } catch {
      return page.get(key);
    }
  },
  set(key: string, value: string): void {
    page.set(key, value);
    try {
      localStorage.setItem(PREFIX + key, value);
    } catch {
      // Kept for the page above.
    }
  },
};
