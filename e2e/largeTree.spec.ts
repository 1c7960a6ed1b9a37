import { zipSync } from "fflate";
import { framesDuring, type Frames } from "./frames";
import { expect, test, type Playground } from "./playground";

/** Files of the tree: `LARGE_TREE=100000` is the full size. */
const FILES = Number(process.env.LARGE_TREE ?? 10_000);

// Recording a trace would make long tasks of its own.
test.use({ trace: "off" });
test.setTimeout(60_000 + FILES * 6);

for (const shape of [
  { name: "flat", paths: flatPaths(FILES), folder: "/work/flat", sought: ["file4177", /file4177\.ts/] as const },
  {
    name: "deep",
    paths: deepPaths(FILES),
    folder: "/work/deep",
    sought: ["store41/index7", /store41\/index7\.ts/] as const,
  },
]) {
  test(`${FILES} files, ${shape.name}: the tree, go to file and a run stay smooth`, async ({ playground, page }) => {
    const report = (what: string, frames: Frames) =>
      console.log(
        `${shape.name} ${FILES}: ${what.padEnd(28)} ${String(frames.count).padStart(4)} frames in ${frames.totalMs} ms: ` +
          `median ${frames.medianMs}, 99% ${frames.slowMs}, worst ${frames.worstMs} ms`,
      );
    const measured = async (what: string, action: () => Promise<void>) =>
      report(what, await framesDuring(page, action));

    await playground.openEmptyProject("Large tree");
    await playground.files.row("/work").click();
    await expect(playground.files.row("/work")).toHaveAttribute("aria-expanded", "false");
    await measured("import", async () => {
      await playground.files.upload({ name: "many.zip", mimeType: "", buffer: zipOf(shape.paths) });
      await expect(playground.notice(/^.*Imported/)).toBeVisible({ timeout: 30_000 + FILES * 3 });
    });

    await playground.files.expand("/work");
    await measured("open the folder", async () => {
      await playground.files.row(shape.folder).click();
      await expect(playground.files.row(shape.folder)).toHaveAttribute("aria-expanded", "true");
    });
    await measured("arrow keys", async () => {
      for (let press = 0; press < 20; press++) await page.keyboard.press("ArrowDown");
    });
    await measured("scroll from end to end", () => scrollThrough(playground));
    await measured("End, Home", async () => {
      await page.keyboard.press("End");
      await page.keyboard.press("Home");
    });
    await measured("go to file, key by key", async () => {
      await page.keyboard.press("ControlOrMeta+P");
      await expect(page.getByRole("combobox", { name: "Go to file" })).toBeFocused();
      await page.keyboard.type(shape.sought[0], { delay: 40 });
      await expect(page.getByRole("option").first()).toHaveText(shape.sought[1], { timeout: 60_000 });
    });
    await page.keyboard.press("Enter");
    await measured("a run that writes", async () => {
      await playground.begin(
        `Create ${shape.folder}/new.txt with "alpha beta". Then replace alpha with gamma in ${shape.folder}/new.txt`,
      );
      await playground.waitForRunToEnd(60_000 + FILES * 3);
    });
    await expect(page.getByText(/1 changed this run/)).toBeVisible();
    await measured("find in files", async () => {
      await page.keyboard.press("ControlOrMeta+Shift+F");
      await expect(page.getByRole("combobox", { name: "Pattern (a regular expression)" })).toBeFocused();
      await page.keyboard.type("gamma", { delay: 40 });
      await expect(page.getByRole("dialog").getByRole("option")).toHaveCount(1, { timeout: 60_000 });
    });
  });
}

function flatPaths(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `flat/file${index}.ts`);
}

/** Ten files a folder, as deep as a repository of packages. */
function deepPaths(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const folder = Math.floor(index / 10);
    return `deep/package${Math.floor(folder / 100)}/src/store${folder % 100}/index${index % 10}.ts`;
  });
}

function zipOf(paths: readonly string[]): Buffer {
  const encoder = new TextEncoder();
  const files = Object.fromEntries(
    paths.map((path, index) => [path, encoder.encode(`export const value${index} = ${index};\n`)] as const),
  );
  return Buffer.from(zipSync(files, { level: 0 }));
}

/** From the first row to the last and back, a sixtieth of the way each frame. */
async function scrollThrough({ tree }: Playground): Promise<void> {
  await tree.evaluate(async (element) => {
    const whole = element.scrollHeight - element.clientHeight;
    for (let step = 0; step <= 120; step++) {
      element.scrollTop = whole * (1 - Math.abs(step - 60) / 60);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}
