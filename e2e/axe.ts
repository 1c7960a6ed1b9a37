import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { expect } from "./playground";

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Expects that axe finds nothing serious on the page as it is shown, in light and in dark. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await seriousFaults(page), `${what}, ${colorScheme}`).toEqual([]);
  }
}

/** Every fault that hinders somebody, as one line each: its rule, where it is, and what axe says about it. */
async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(await source);
  return page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map((animation) => animation.finished));
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) =>
        nodes.slice(0, 5).map(({ target, failureSummary = "" }) => {
          const [, ...summary] = failureSummary.split("\n");
          return `${id}: ${target.join(" ")}: ${summary.map((line) => line.trim()).join("; ")}`;
        }),
      );
  });
}
