import { expect, test } from "./playground";

test("files dropped on the message box go into a mount and their paths into the message", async ({
  playground,
  page,
}) => {
  await playground.openEmptyProject();
  await playground.message.fill("Summarise");
  const files = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(["# Notes\n"], "notes.md", { type: "text/markdown" }));
    return data;
  });
  await playground.message.dispatchEvent("dragover", { dataTransfer: files });
  await playground.message.dispatchEvent("drop", { dataTransfer: files });
  await expect(playground.message).toHaveValue("Summarise /work/attachments/notes.md ");
  await playground.files.expand("/work");
  await expect(playground.files.row("/work/attachments")).toBeVisible();

  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files…" }).click();
  await (await chooser).setFiles({ name: "notes.md", mimeType: "", buffer: Buffer.from("again") });
  await expect(playground.message).toHaveValue("Summarise /work/attachments/notes.md /work/attachments/notes-2.md ");
});

test("an attachment is refused in words where no mount takes writes", async ({ playground, page }) => {
  await playground.openEmptyProject();
  await playground.files.chooseFromMount("/work", "Make read-only");
  await playground.files.chooseFromMount("/notes", "Make read-only");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files…" }).click();
  await (await chooser).setFiles({ name: "a.txt", mimeType: "", buffer: Buffer.from("a") });
  await expect(playground.notice("Not attached: No mount takes writes")).toBeVisible();
  await expect(playground.message).toHaveValue("");
});
