import { randomBytes } from "node:crypto";
import { givenFile } from "./filesColumn";
import { limitStorage } from "./limitStorage";
import { expect, test } from "./playground";

const MIB = 1024 * 1024;

test.describe("storage that is full", () => {
  test("is said by the file's path, keeps what was saved, and still takes a deletion", async ({
    playground,
    page,
    baseURL,
  }) => {
    await limitStorage(page, baseURL ?? "", 12 * MIB);
    await playground.openEmptyProject();
    const { files } = playground;
    await files.upload(givenFile("kept.txt", "kept"), givenFile("room.bin", randomBytes(3 * MIB)));
    await expect(playground.notice("Imported 2 files")).toBeVisible();

    await files.upload(givenFile("big.bin", randomBytes(12 * MIB)));
    const notice = playground.notice("The import of big.bin ended early");
    await expect(notice).toContainText("storage full: /work/big.bin");
    await expect(notice).toContainText("Delete files, sessions or projects to make room.");
    await expect(files.row("/work/big.bin")).toHaveCount(0);

    await page.reload();
    await expect(files.row("/work/kept.txt")).toBeVisible();
    await files.row("/work/kept.txt").click();
    await expect(page.locator(".view-lines")).toHaveText("kept");

    await files.row("/work/room.bin").click();
    await files.tree.press("Delete");
    await expect(playground.notice("Deleted /work/room.bin")).toBeVisible();
    await page.reload();
    await expect(files.row("/work/kept.txt")).toBeVisible();
    await expect(files.row("/work/room.bin")).toHaveCount(0);
  });
});

const REFUSALS: readonly { readonly how: string; readonly refuse: () => void; readonly said: string }[] = [
  {
    how: "throws, as where site data is blocked",
    refuse: () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      };
    },
    said: "The operation is insecure.",
  },
  {
    how: "fails to open, as in some private windows",
    refuse: () => {
      IDBFactory.prototype.open = () => {
        const reason = "A mutation operation was attempted on a database that did not allow mutations.";
        const request = Object.assign(new EventTarget(), { error: new DOMException(reason, "InvalidStateError") });
        setTimeout(() => request.dispatchEvent(new Event("error")));
        return request as never;
      };
    },
    said: "a database that did not allow mutations",
  },
  {
    how: "is not there at all",
    refuse: () => Object.defineProperty(globalThis, "indexedDB", { value: undefined }),
    said: "This browser has no IndexedDB.",
  },
];

for (const { how, refuse, said } of REFUSALS) {
  test(`where IndexedDB ${how}, the sample runs in memory and the page says so`, async ({ playground, page }) => {
    await page.addInitScript(refuse);
    await playground.openSample();
    const note = page.getByRole("note").filter({ hasText: "Everything works, in memory only" });
    await expect(note).toContainText(said);
    await expect(page.getByRole("contentinfo")).toContainText("Kept in memory only: gone when this tab closes");
    await expect(playground.files.mount("/repo")).toContainText("memory");
    await expect(playground.row(/^createStore\.ts.*modified/)).toBeVisible();

    await playground.files.upload(givenFile("mine.txt", "mine"));
    await expect(playground.row(/^mine\.txt/)).toBeVisible();
    await playground.newProject("Second");
    await expect(playground.files.row("/work")).toBeVisible();
  });
}
