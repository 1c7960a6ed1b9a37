import { writeFile } from "node:fs/promises";
import { zipSync } from "fflate";
import { framesDuring } from "./frames";
import { longTasksBetween, watchLongTasks } from "./longTasks";
import { expect, test, type Playground } from "./playground";

/** Files of each tree: `LARGE_TREE=100000` is the full size. */
const FILES = Number(process.env.LARGE_TREE ?? 10_000);
const WAIT_MS = 30_000 + FILES * 3;

/** Rows a tree may draw, however many it has: a screenful, and some above and below. */
const DRAWN_ROWS = 120;

const SHAPES = [
  { name: "flat", paths: flatPaths(FILES), typed: "file417", best: /^\/work\/flat\/file417\.ts$/ },
  { name: "deep", paths: deepPaths(FILES), typed: "store4/index7", best: /store4\/index7\.ts$/ },
];

// Recording a trace would make long tasks of its own.
test.use({ trace: "off" });
test.setTimeout(WAIT_MS * 3);

for (const { name, paths, typed, best } of SHAPES) {
  test(`${FILES} files, ${name}: the tree, go to file, marks and find take what is seen, not what there is`, async ({
    playground,
    page,
  }, info) => {
    const { files } = playground;
    const folder = `/work/${name}`;
    /** Says how smooth it was: frames and tasks are the machine's business, what is drawn is checked. */
    const measured = async (what: string, action: () => Promise<void>) => {
      const begunMs = Date.now();
      const { count, totalMs, medianMs, slowMs, worstMs } = await framesDuring(page, action);
      const tasks = await longTasksBetween(page, begunMs, Date.now());
      const longest = Math.round(Math.max(0, ...tasks.map(({ durationMs }) => durationMs)));
      console.log(
        `${name} ${FILES}: ${what.padEnd(26)} ${count} frames in ${totalMs} ms, between two ${medianMs} (99% ${slowMs}, ` +
          `longest ${worstMs}) ms; ${tasks.length} tasks over 50 ms, the longest ${longest} ms`,
      );
      expect(count, `${what}: frames were drawn meanwhile`).toBeGreaterThan(1);
      expect(await files.tree.getByRole("treeitem").count(), `${what}: rows drawn`).toBeLessThan(DRAWN_ROWS);
    };
    await watchLongTasks(page);
    await playground.openEmptyProject("Large tree");
    const zip = info.outputPath("many.zip");
    await writeFile(zip, zipOf(paths));

    await measured("import", async () => {
      await files.upload(zip);
      await expect(playground.notice(`Imported ${FILES.toLocaleString("en")} files`)).toBeVisible({ timeout: WAIT_MS });
    });
    await files.expand("/work");
    await measured("open all folders", async () => {
      await files.chooseFromRow(folder, "Open all below");
      await expect(files.row(folder)).toHaveAttribute("aria-expanded", "true");
    });
    await measured("arrow keys", async () => {
      for (let press = 0; press < 20; press++) await page.keyboard.press("ArrowDown");
    });
    await measured("scroll from end to end", () => scrollThrough(playground));
    await measured("End", async () => {
      await page.keyboard.press("End");
      await expect(files.tree.getByRole("treeitem", { selected: true })).toHaveAttribute("data-path", /\.ts$/);
    });
    await measured("go to file, key by key", async () => {
      await page.keyboard.press("ControlOrMeta+P");
      await expect(page.getByRole("combobox", { name: "Go to file" })).toBeFocused();
      await page.keyboard.type(typed, { delay: 40 });
      await expect(page.getByRole("option").first()).toHaveText(best, { timeout: WAIT_MS });
    });
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeHidden();
    for (const [time, wanted] of ["alpha", "gamma"].entries()) {
      await measured(time === 0 ? "the first run, keeping all" : "a further run that writes", async () => {
        await playground.begin(
          `Create ${folder}/${wanted}.txt with "${wanted} here". Then read ${folder}/${wanted}.txt`,
        );
        await playground.waitForRunToEnd(WAIT_MS);
      });
      await expect(page.getByRole("button", { name: "1 changed this run" })).toBeVisible();
    }
    await measured("find in files", async () => {
      await page.keyboard.press("ControlOrMeta+Shift+F");
      await expect(page.getByRole("combobox")).toBeFocused();
      await page.keyboard.type("gamma here", { delay: 40 });
      await expect(page.getByRole("dialog").getByRole("option")).toHaveCount(1, { timeout: WAIT_MS });
    });
    await page.keyboard.press("Enter");
    await expect(files.row(`${folder}/gamma.txt`)).toBeVisible();
  });
}

function flatPaths(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `flat/file${index}.ts`);
}

/** Ten files a folder, as many packages as folders in each, as in a repository of many packages. */
function deepPaths(count: number): string[] {
  const packages = Math.ceil(Math.sqrt(count / 10));
  return Array.from({ length: count }, (_, index) => {
    const folder = Math.floor(index / 10);
    return `deep/package${folder % packages}/src/store${Math.floor(folder / packages)}/index${index % 10}.ts`;
  });
}

function zipOf(paths: readonly string[]): Uint8Array {
  const encoder = new TextEncoder();
  const files = Object.fromEntries(
    paths.map((path, index) => [path, encoder.encode(`export const value${index} = ${index};\n`)] as const),
  );
  return zipSync(files, { level: 0 });
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
