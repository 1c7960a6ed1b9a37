import { givenFile } from "./filesColumn";
import { expect, inTurn, test } from "./playground";

test.beforeEach(({ playground }) => playground.openEmptyProject());

test(
  "tabs, keys, drops, names and new mounts are where a person looks",
  inTurn({
    "tabs that do not fit are in a menu": async ({ playground, page }) => {
      const { files } = playground;
      const names = Array.from({ length: 12 }, (_, index) => `a-rather-long-name-${index}.txt`);
      await files.upload(...names.map((name) => givenFile(name, name)));
      for (const name of names) await files.row(`/work/${name}`).click();
      const more = page.getByRole("button", { name: /^All open documents, \d+ not in view$/ });
      await expect(
        page
          .getByRole("listitem")
          .filter({ hasText: names.at(-1) ?? "" })
          .last(),
      ).toBeInViewport({ ratio: 0.95 });
      await more.focus();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("menuitemradio")).toHaveCount(names.length + 2);
      await page.getByRole("menuitemradio", { name: "instructions.md" }).press("Enter");
      await expect(page.getByRole("button", { name: "instructions.md" })).toHaveAttribute("aria-current", "page");
      await expect(page.getByRole("button", { name: "instructions.md" })).toBeInViewport({ ratio: 0.95 });
    },
    "the keys of the tree work after a click on a row": async ({ playground, page }) => {
      const { files } = playground;
      await files.upload(givenFile("one.md", "one"), givenFile("two.md", "two"));
      await files.row("/work/one.md").click();
      await expect(files.tree).toBeFocused();
      await page.keyboard.press("ArrowDown");
      await expect(files.row("/work/two.md")).toHaveAttribute("aria-selected", "true");
      await page.keyboard.press("F2");
      await files.nameEntry("three.md");
      await expect(files.row("/work/three.md")).toBeVisible();
      await files.row("/work/three.md").click();
      await page.keyboard.press("Delete");
      await expect(files.row("/work/three.md")).toHaveCount(0);
    },
    "a row that is dragged over shows where the files would go": async ({ playground, page }) => {
      const row = playground.files.row("/notes");
      const data = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(["x"], "dropped.txt"));
        return transfer;
      });
      await row.dispatchEvent("dragover", { dataTransfer: data });
      await expect(page.getByText("Drop: into /notes")).toBeVisible();
      await expect(row).toHaveClass(/tree-row-dropping/);
      await row.dispatchEvent("drop", { dataTransfer: data });
      await expect(page.getByText("Drop: into /notes")).toHaveCount(0);
      await expect(playground.files.row("/notes/dropped.txt")).toBeVisible();
    },
    "unseen characters are refused in new names and written out in those of archives": async ({ playground, page }) => {
      const { files } = playground;
      await files.addMount("/a\u202Eb", "Memory");
      const dialog = page.getByRole("dialog", { name: "Add a mount" });
      await expect(dialog.getByRole("alert")).toContainText("it holds a character that is not seen (U+202E)");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await files.upload(givenFile("a\u202Egpj.txt", "x"));
      await expect(files.row("/work/a\u202Egpj.txt")).toContainText("a\\u202Egpj.txt");
      await files.row("/work/a\u202Egpj.txt").click();
      await page.keyboard.press("F2");
      const field = await files.nameEntry("b\u2066.txt");
      await expect(files.tree.getByRole("alert")).toContainText("(U+2066)");
      await field.press("Escape");
    },
    "a new mount is selected, in view, and what uploads go to": async ({ playground, page }) => {
      const { files } = playground;
      const many = Array.from({ length: 60 }, (_, index) => givenFile(`${String(index).padStart(2, "0")}.txt`, "x"));
      await files.upload(...many);
      await expect(playground.notice("Imported 60 files (60 B) into /work.")).toBeVisible();
      await expect(page.getByRole("contentinfo")).toContainText(/Storage \d/);
      await files.addMount("/zeta", "Memory");
      await expect(files.row("/zeta")).toHaveAttribute("aria-selected", "true");
      await expect(files.row("/zeta")).toBeInViewport({ ratio: 1 });
      await page.getByRole("button", { name: "New, upload, download" }).click();
      await expect(page.getByText("Into /zeta")).toBeVisible();
      await page.keyboard.press("Escape");
      await files.upload(givenFile("here.txt", "here"));
      await expect(files.row("/zeta/here.txt")).toBeVisible();
    },
  }),
);
