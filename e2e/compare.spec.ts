import { expect, test, type Playground } from "./playground";

/** Runs the sample's comparison from the first visit on. */
async function compareSample(playground: Playground): Promise<void> {
  await playground.openSample();
  await playground.switchTo("Compare");
  await playground.page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.page.getByText("2 of 2 done")).toBeVisible({ timeout: 60_000 });
}

test("results keep the plan and the texts they ran with; what comes next is said apart", async ({
  page,
  playground,
}) => {
  await compareSample(playground);
  const shown = page
    .locator(".compare-bar")
    .getByText(/^Shown 1 prompt × 1 repeat × 2 arms, on forks of tree [0-9a-f]{6}$/);
  const next = page.getByRole("region", { name: "Next run" });
  const ranOn = (await shown.textContent())?.slice(-6) ?? "";
  await expect(next).toContainText(`tree ${ranOn}, before the last run`);

  await test.step("another start and more prompts change the next run alone", async () => {
    await next.getByRole("button", { name: /before the last run/ }).click();
    await page.getByRole("menuitemradio", { name: "The files as they are now" }).click();
    await expect(next).toContainText(/tree [0-9a-f]{6}, as it is now/);
    await expect(next).not.toContainText(ranOn);
    await expect(shown).toContainText(ranOn);
    await next.getByRole("button", { name: "Prompts and repeats…" }).click();
    await expect(page.getByText("Repeats of each prompt (1 to 50)")).toBeVisible();
    await page.getByRole("spinbutton", { name: /^Repeats/ }).fill("2");
    await page.getByRole("button", { name: "Done" }).click();
    await expect(next).toContainText("1 prompt × 2 repeats");
    await expect(shown).toContainText("1 repeat");
  });

  await test.step("the first differing calls are marked, and only counts have a colour", async () => {
    const lines = page.getByRole("list", { name: "Calls of both arms" });
    await expect(lines.getByText(/first divergence/)).toHaveCount(1);
    await expect(lines.getByRole("button", { name: /first divergence · only in A$/ })).toBeVisible();
    const time = page.getByRole("region", { name: "Figures" }).getByRole("row", { name: /^Wall time/ });
    await expect(time).toContainText("one run’s time is noise");
    await expect(time.locator(".ok, .bad")).toHaveCount(0);
  });

  await test.step("edited texts are said to be newer than the results", async () => {
    await page.getByRole("textbox", { name: "Instructions of B" }).fill("");
    const notes = page.locator(".compare-notes");
    await expect(notes).toContainText("The results below are of the text of B as before you changed it.");
    await expect(notes).toContainText("B has no instructions");
    await expect(notes.getByRole("button", { name: "Run all 4 anew" })).toBeVisible();
    await page.getByRole("button", { name: "Use B’s instructions ▾" }).click();
    await page.getByRole("menuitem", { name: "As they ran" }).click();
    await expect(playground.notice("The agent now has the instructions of B")).toBeVisible();
    const a = await page.getByRole("textbox", { name: "Instructions of A" }).inputValue();
    await page.getByRole("textbox", { name: "Instructions of B" }).fill(a);
    await expect(notes).toContainText("A and B have the same text");
  });
});

test("on pages of every size what was seen is in reach and nothing runs off the page", async ({ page, playground }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await compareSample(playground);
  for (const size of [
    { width: 1440, height: 900 },
    { width: 800, height: 600 },
    { width: 720, height: 450 },
    { width: 400, height: 700 },
  ])
    await test.step(`${size.width} × ${size.height}`, async () => {
      await playground.switchTo("Compare");
      await page.setViewportSize(size);
      const sentence = page.getByText(/(B|Both) made .*tool calls? on this prompt/).filter({ visible: true });
      await expect(sentence).toBeInViewport({ ratio: 0.99 });
      for (const name of ["Open A in Replay", "Open B in Replay", "Use B’s instructions"]) {
        const button = page.getByRole("button", { name }).filter({ visible: true });
        await expect(button).toBeInViewport({ ratio: 0.99 });
      }
      for (const mode of ["Compare", "Run", "Replay"] as const) {
        await playground.switchTo(mode);
        const widths = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          ...[...document.querySelectorAll(".header > *, .status-bar > *")]
            .filter((part) => part.getClientRects().length > 0)
            .map((part) => Math.ceil(part.getBoundingClientRect().right)),
        ]);
        expect(Math.max(...widths), `${mode}: the header and the status line end on the page`).toBeLessThanOrEqual(
          size.width,
        );
        await expect(page.getByRole("contentinfo")).toContainText("Demo planner (rules, not AI)");
        if (mode !== "Replay") await expect(page.locator(".model-trigger")).toContainText("(rules, not AI)");
      }
    });
});

test("with several prompts the sentence and its buttons stay whole", async ({ page, playground }) => {
  await playground.openSample();
  await playground.switchTo("Compare");
  await page.getByRole("button", { name: "Prompts and repeats…" }).click();
  for (const index of [2, 3]) {
    await page.getByRole("button", { name: "Add a prompt" }).click();
    await page.getByRole("textbox", { name: `Prompt ${index}` }).fill("List /repo.");
  }
  await page.getByRole("button", { name: "Done" }).click();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByText("6 of 6 done")).toBeVisible({ timeout: 60_000 });
  for (const name of ["Open A in Replay", "Open B in Replay", "Use B’s instructions"])
    await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 0.99 });
  await expect(page.getByRole("radiogroup", { name: "Pair that is shown" })).toBeInViewport({ ratio: 0.99 });

  await test.step("the list of sessions folds the comparison under the person's own run", async () => {
    await playground.switchTo("Run");
    const list = await playground.openSessions();
    await expect(list.locator(".session-list-open")).toHaveCount(2);
    await expect(list.locator(".session-list-open").first()).not.toContainText("Comparison");
    await list.getByRole("radio", { name: "Comparisons" }).click();
    await list.getByRole("button", { name: /^Comparison on .*6 runs$/ }).click();
    await expect(list.locator(".session-list-open")).toHaveCount(7);
  });
});
