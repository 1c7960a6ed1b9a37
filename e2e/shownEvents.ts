import type { Page } from "@playwright/test";

/** An event as the Raw view shows it: its place in the log, the time of day it carries, its type. */
export interface ShownEvent {
  readonly index: number;
  readonly time: string;
  readonly type: string;
}

/**
 * Collects every event that appears in the Raw view from now on. They leave the page the moment they are shown, so that
 * they are known here even when the page is killed.
 */
export async function collectShownEvents(page: Page): Promise<ReadonlyMap<number, ShownEvent>> {
  const shown = new Map<number, ShownEvent>();
  await page.exposeFunction("rootscopeShown", (events: readonly ShownEvent[]) => {
    for (const event of events) shown.set(event.index, event);
  });
  await page.evaluate(() => {
    const report = (window as unknown as { rootscopeShown: (events: unknown) => void }).rootscopeShown;
    const known = new Set<string>();
    const look = () => {
      const events = [...document.querySelectorAll(".raw-head")].flatMap((row) => {
        const [index = "", time = "", type = ""] = [...row.children].map((cell) => cell.textContent);
        if (known.has(index)) return [];
        known.add(index);
        // People count from one.
        return [{ index: Number(index) - 1, time, type }];
      });
      if (events.length > 0) report(events);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
  });
  return shown;
}
