import { open, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { givenFile } from "./filesColumn";
import { expect, inTurn, test } from "./playground";

const text = (words: string) => new TextEncoder().encode(words);
const MIB = 1024 * 1024;
const PIXEL_PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test.describe("a file that is not as it should be", () => {
  test.beforeEach(async ({ playground }) => {
    await playground.openEmptyProject();
    await playground.files.upload(givenFile("kept.txt", "kept"));
    await expect(playground.files.row("/work/kept.txt")).toBeVisible();
  });

  test.afterEach(async ({ playground, page }) => {
    // Nothing that was there before is lost, on screen or on disk.
    await page.reload();
    await expect(playground.files.row("/work/kept.txt")).toBeVisible();
  });

  test(
    "archives and folders give what is good in them and name the rest",
    inTurn({
      "a broken zip is named and costs nothing else": async ({ playground }) => {
        const { files } = playground;
        const whole = Buffer.from(zipSync({ "inside.txt": text("inside") }));
        await files.upload(
          givenFile("no.zip", "this is no zip at all"),
          givenFile("cut.zip", whole.subarray(0, whole.length - 20)),
          givenFile("beside.txt", "beside"),
        );

        const notice = playground.notice("2 entries left out");
        await expect(notice).toContainText("Imported 1 file (6 B) into /work");
        await expect(notice.getByRole("listitem").filter({ hasText: "“no.zip” cannot be unpacked" })).toBeVisible();
        await expect(notice.getByRole("listitem").filter({ hasText: "“cut.zip” cannot be unpacked" })).toBeVisible();
        await expect(files.row("/work/beside.txt")).toBeVisible();
      },
      "a zip whose names climb, are absolute or too long gives its good entries and names the others": async ({
        playground,
        page,
      }) => {
        const { files } = playground;
        const long = `${"n".repeat(256)}.txt`;
        const zip = zipSync({
          "good/first.txt": text("first"),
          "../climbs.txt": text("out"),
          "good/../../climbs.txt": text("out"),
          "/absolute.txt": text("out"),
          [`good/${long}`]: text("long"),
          "good/last.txt": text("last"),
        });
        await files.upload(givenFile("mixed.zip", zip));

        const notice = playground.notice("Imported 2 files");
        await expect(notice).toContainText("4 entries left out");
        await expect(notice.getByRole("listitem")).toHaveText([
          "“../climbs.txt” was left out: its path holds “..”",
          "“good/../../climbs.txt” was left out: its path holds “..”",
          "“/absolute.txt” was left out: its path is absolute",
          `“good/${long}” was left out: a name in its path is longer than 255 bytes`,
        ]);
        await files.expand("/work/good");
        await expect(files.row("/work/good/first.txt")).toBeVisible();
        await expect(files.row("/work/good/last.txt")).toBeVisible();
        await expect(page.getByRole("treeitem", { name: /climbs|absolute/ })).toHaveCount(0);
      },
      "what cannot be read of a dropped folder is named, and the rest arrives": async ({ playground, page }) => {
        const { files } = playground;
        const transfer = await page.evaluateHandle(() => {
          type Callbacks = [(value: never) => void, (error: DOMException) => void];
          const refused = () =>
            new DOMException("A requested file or directory could not be found.", "NotReadableError");
          const fileEntry = (name: string) => ({
            isFile: true,
            isDirectory: false,
            name,
            file: (resolve: (file: File) => void) => resolve(new File(["fine"], name)),
          });
          const unreadableFile = {
            isFile: true,
            isDirectory: false,
            name: "locked.txt",
            file: (...[, no]: Callbacks) => no(refused()),
          };
          const folder = (name: string, entries: readonly object[] | undefined) => ({
            isFile: false,
            isDirectory: true,
            name,
            createReader: () => {
              let rest = entries;
              return {
                readEntries(resolve: (portion: readonly object[]) => void, reject: (error: DOMException) => void) {
                  if (rest === undefined) return reject(refused());
                  resolve(rest);
                  rest = [];
                },
              };
            },
          });
          const top = folder("dropped", [
            fileEntry("a.txt"),
            unreadableFile,
            folder("secret", undefined),
            fileEntry("z.txt"),
          ]);
          const data = new DataTransfer();
          data.items.add(new File([], "dropped"));
          DataTransferItem.prototype.webkitGetAsEntry = () => top as never;
          return data;
        });
        await files.row("/work").dispatchEvent("drop", { dataTransfer: transfer });

        const notice = playground.notice("The file “dropped/locked.txt” cannot be read");
        await expect(notice).toContainText("Imported 2 files");
        await expect(notice).toContainText("The folder “dropped/secret” cannot be read");
        await files.expand("/work/dropped");
        await expect(files.row("/work/dropped/a.txt")).toBeVisible();
        await expect(files.row("/work/dropped/z.txt")).toBeVisible();
      },
    }),
  );

  test(
    "files too large, of allowed size, binary and images are each what they are",
    inTurn({
      "a file of 200 MB is refused by name and limit while the page goes on": async ({ playground }) => {
        const folder = await mkdtemp(join(tmpdir(), "rootscope-"));
        try {
          const huge = join(folder, "huge.bin");
          const file = await open(huge, "w");
          await file.truncate(200 * MIB);
          await file.close();

          await playground.files.upload(huge);
          await playground.message.fill("typed meanwhile");
          const notice = playground.notice("“huge.bin” was left out");
          await expect(notice).toContainText("it has 200 MB, and a file may have 100 MB");
          await expect(playground.message).toHaveValue("typed meanwhile");
          await expect(playground.files.row("/work/huge.bin")).toHaveCount(0);
        } finally {
          await rm(folder, { recursive: true });
        }
      },
      "a binary file is shown as bytes, and Read says what it is": async ({ playground, page }) => {
        await playground.files.upload(givenFile("data.bin", Uint8Array.of(0, 1, 2, 0xff, 0xfe, 0x41, 0x42)));
        await playground.files.row("/work/data.bin").click();
        await expect(page.getByText("Binary, 7 B.")).toBeVisible();
        await expect(page.getByText("00000000 00 01 02 ff fe 41 42")).toBeVisible();

        await playground.send("Read /work/data.bin");
        const call = playground.calls(/ok Read \/work\/data\.bin/);
        await expect(call).toBeVisible();
        await call.click();
        await expect(playground.conversation.getByText(/binary file/i).first()).toBeVisible();
        await playground.waitForRunToEnd();
      },
      "an image is shown as an image": async ({ playground, page }) => {
        await playground.files.upload(givenFile("pixel.png", PIXEL_PNG));
        await playground.files.row("/work/pixel.png").click();
        await expect(page.getByRole("img", { name: "/work/pixel.png" })).toBeVisible();
        await expect(page.getByText("1 × 1 px")).toBeVisible();
      },
      "a large file of allowed size arrives while a person types": async ({ playground, page }) => {
        const folder = await mkdtemp(join(tmpdir(), "rootscope-"));
        try {
          const large = join(folder, "large.log");
          const file = await open(large, "w");
          await file.truncate(60_000_000);
          await file.close();
          await page.evaluate(() => {
            const seen = { longestMs: 0 };
            Object.assign(window, { seenLongTask: seen });
            new PerformanceObserver((list) => {
              for (const { duration } of list.getEntries()) seen.longestMs = Math.max(seen.longestMs, duration);
            }).observe({ type: "longtask" });
          });

          await playground.files.upload(large);
          await playground.message.fill("typed meanwhile");
          await expect(playground.notice("Imported 1 file (60 MB)")).toBeVisible({ timeout: 30_000 });
          await playground.files.row("/work/large.log").click();
          await expect(page.getByText("60 MB: files over 5.2 MB are shown, not edited.")).toBeVisible();
          const { longestMs } = await page.evaluate(
            () => (window as never as { seenLongTask: { longestMs: number } }).seenLongTask,
          );
          test.info().annotations.push({ type: "longest task", description: `${Math.round(longestMs)} ms` });
        } finally {
          await rm(folder, { recursive: true });
        }
      },
    }),
  );

  test(
    "names are kept as they are written, or refused where they are typed",
    inTurn({
      "names with spaces, of every Unicode form and up to 255 bytes are kept as they are written": async ({
        playground,
        page,
      }) => {
        const { files } = playground;
        const longest = `${"ä".repeat(125)}.text`;
        const names = ["with two  spaces.txt", "caf\u00e9.txt", "cafe\u0301.txt", "👩‍👩‍👧 🌱.txt", longest, "#%&?+=;.txt"];
        expect(Buffer.byteLength(longest)).toBe(255);
        await files.upload(
          ...names.map((name) => givenFile(name, `in ${name}`)),
          givenFile(`${longest}e`, "one too many"),
        );

        await expect(playground.notice(/Imported 6 files/)).toContainText(
          `“${longest}e” was left out: a name in its path is longer than 255 bytes`,
        );
        await page.reload();
        for (const name of names) await expect(files.row(`/work/${name}`)).toBeVisible();
        await expect(files.mount("/work")).toContainText("7");

        for (const name of names.slice(0, 4)) {
          await files.row(`/work/${name}`).click();
          await expect(page.locator(".view-lines")).toHaveText(`in ${name}`.replaceAll(" ", "\u00a0"));
        }
      },
      "a name that cannot be is refused where it is typed": async ({ playground, page }) => {
        const { files } = playground;
        await files.row("/work").click({ button: "right" });
        await page.getByRole("menuitem", { name: "New file…" }).click();
        const refusals = [
          ["..", "its path holds “..”"],
          ["a/../b.txt", "its path holds “..”"],
          ["/etc/passwd", "its path is absolute"],
          ["a//b.txt", "its path has an empty part"],
          ["kept.txt", "There is a file called kept.txt already."],
          ["x".repeat(256), "A name may have at most 255 bytes."],
        ] as const;
        for (const [name, words] of refusals) {
          const field = await files.nameEntry(name);
          await expect(files.tree.getByRole("alert")).toContainText(words);
          await expect(field).toBeFocused();
        }
        // A slash makes the folders on the way.
        await files.nameEntry("made/on/the way.txt");
        await expect(files.row("/work/made/on/the way.txt")).toBeVisible();

        await files.row("/work/kept.txt").click();
        await files.tree.press("F2");
        await files.nameEntry("");
        await expect(files.tree.getByRole("alert")).toContainText("It needs a name.");
        await files.nameEntry("made");
        await expect(files.tree.getByRole("alert")).toContainText("There is something at /work/made already.");
        await page.keyboard.press("Escape");
        await expect(files.row("/work/kept.txt")).toBeVisible();
        await expect(files.tree).toBeFocused();
      },
      "mounts and projects refuse names that cannot be": async ({ playground, page }) => {
        await page.getByRole("button", { name: "+ Add" }).click();
        const dialog = page.getByRole("dialog", { name: "Add a mount" });
        const path = dialog.getByRole("textbox", { name: "Path" });
        for (const [prefix, words] of [
          ["", "A mount needs a path"],
          ["relative", "A mount's path begins with /."],
          ["/a/../b", "its path holds “..”"],
          ["/work", "There is a mount at /work already."],
          ["/work/", "There is a mount at /work already."],
        ] as const) {
          await path.fill(prefix);
          await path.press("Enter");
          await expect(dialog.getByRole("alert")).toContainText(words);
        }
        await page.keyboard.press("Escape");

        await page.keyboard.press("ControlOrMeta+k");
        await page.getByPlaceholder("What should be done?").fill("Rename the project");
        await page.keyboard.press("Enter");
        const rename = page.getByRole("dialog", { name: "Rename the project" });
        await rename.getByRole("textbox").fill("   ");
        await expect(rename.getByRole("button", { name: "Rename" })).toBeDisabled();
        await page.keyboard.press("Escape");
        await expect(playground.files.mounts).toHaveCount(2);
      },
    }),
  );
});
