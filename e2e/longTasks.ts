import type { Page } from "@playwright/test";

export interface LongTask {
  /** Since 1970, as events of a log tell their time. */
  readonly startMs: number;
  readonly durationMs: number;
}

/** Lets the browser note every task of the main thread over 50 ms; to be called before the page is opened. */
export async function watchLongTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tasks: LongTask[] = [];
    Object.assign(window, { rootscopeLongTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        tasks.push({ startMs: performance.timeOrigin + startTime, durationMs: duration });
    }).observe({ type: "longtask", buffered: true });
  });
}

/** Those that began between two moments. */
export async function longTasksBetween(page: Page, fromMs: number, untilMs: number): Promise<LongTask[]> {
  const all = await page.evaluate(
    () => (window as unknown as { readonly rootscopeLongTasks: readonly LongTask[] }).rootscopeLongTasks,
  );
  return all.filter(({ startMs }) => startMs >= fromMs && startMs <= untilMs);
}
