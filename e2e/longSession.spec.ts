import { writeFileSync } from "node:fs";
import { claudeCodeLines } from "../bench/longTrajectory.mjs";
import { expect, test } from "./playground";

/** Enough for a session that is not held whole; `LONG_LOG_MB=100` tries the size of the benchmark. */
const MB = Number(process.env["LONG_LOG_MB"] ?? 6);

test("a long recording of another program is imported beside the page, opens at its end and is scrubbed", async ({
  playground,
  page,
}, info) => {
  test.setTimeout(90_000 + MB * 5_000);
  const file = info.outputPath("recording.jsonl");
  writeFileSync(file, [...claudeCodeLines({ bytes: MB * 1_000_000 })].join("\n"));
  await playground.openEmptyProject("Long");
  await playground.switchTo("Replay");
  const place = page.getByRole("slider", { name: "Place in the session" });
  const choose = () => page.locator('.replay input[type="file"]').first().setInputFiles(file);

  await test.step("stopped, it leaves no session", async () => {
    await choose();
    await page.locator(".import-strip").getByRole("button", { name: "Stop" }).click();
    await expect(playground.notice("The import of recording.jsonl was stopped.")).toBeVisible();
    await expect(page.getByText("No sessions yet")).toBeVisible();
  });

  await test.step("its end is there, then all of it", async () => {
    await choose();
    await expect(playground.notice(/Imported recording\.jsonl: \d+ events/)).toBeVisible({
      timeout: MB * 5_000 + 30_000,
    });
    await expect.poll(async () => Number(await place.getAttribute("max"))).toBeGreaterThan(4_096);
    const count = Number(await place.getAttribute("max"));
    await expect(place).toHaveValue(String(count));
    await expect(page.locator(".replay .chat-item").last()).toBeVisible();
    await expect(page.locator(".replay-indexing")).toHaveCount(0, { timeout: 60_000 });
    await expect(page.getByText(/earlier events? not shown here/)).toBeVisible();
  });

  await test.step("any place of it is a moment away, and the document stays small", async () => {
    const count = Number(await place.getAttribute("max"));
    for (const share of [0.1, 0.9, 0.5]) {
      const index = Math.round(count * share);
      await place.fill(String(index));
      await expect(place).toHaveAttribute(
        "aria-valuetext",
        new RegExp(`^event ${index} of ${count}, step \\d+ of \\d+, `),
      );
    }
    await place.fill("0");
    await expect(page.getByText("Nothing has been said yet at this point.")).toBeVisible();
    await place.fill(String(count));
    await expect(page.locator(".replay .chat-item").last()).toBeVisible();
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(4_000);
  });
  expect(playground.complaints).toEqual([]);
});
