import type { Page } from "@playwright/test";

/** How the page drew while something went on. */
export interface Frames {
  readonly count: number;
  /** Milliseconds between two frames: the one in the middle, the slowest of a hundred but one, the slowest. */
  readonly medianMs: number;
  readonly slowMs: number;
  readonly worstMs: number;
  /** From the first frame to the last. */
  readonly totalMs: number;
}

/** Times every frame the page draws while `action` goes on, and until it has drawn what came of it. */
export async function framesDuring(page: Page, action: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const times: number[] = [];
    const note = (time: number) => {
      times.push(time);
      state.next = requestAnimationFrame(note);
    };
    const state = { times, next: requestAnimationFrame(note) };
    Object.assign(window, { rootscopeFrames: state });
  });
  await action();
  const times = await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const { rootscopeFrames } = window as unknown as { rootscopeFrames: { times: number[]; next: number } };
    cancelAnimationFrame(rootscopeFrames.next);
    return rootscopeFrames.times;
  });
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const sorted = gaps.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return {
    count: gaps.length,
    medianMs: at(0.5),
    slowMs: at(0.99),
    worstMs: at(1),
    totalMs: Math.round((times.at(-1) ?? 0) - (times[0] ?? 0)),
  };
}
