import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { zipSync } from "fflate";
import { findLighttpd } from "../scripts/ensureLighttpd.mjs";
import { gzipped, tarBytes } from "../src/archive/tarBytes.suite";
import { corsServer } from "../src/fs/host/corsServer.suite";
import { s3Server } from "../src/fs/host/s3Server.suite";
import { expectAccessible } from "./axe";
import { givenFile } from "./filesColumn";
import { expect, test, type Playground } from "./playground";

const bytes = (text: string) => new TextEncoder().encode(text);

test("archives, addresses and packages are brought in once, stay, and are fetched again", async ({
  playground,
  page,
}) => {
  const { files } = playground;
  await playground.openEmptyProject("Brought in");
  let served = { status: 404, body: Buffer.from("") };
  await page.route("https://files.example.org/**", (route) =>
    route.fulfill({ ...served, headers: { "Access-Control-Allow-Origin": "*" } }),
  );
  await servePackage(page, "left-pad", { "package.json": "{}", "index.js": "module.exports = pad;\n" });
  playground.expectedComplaints.push(/404/);

  await test.step("an archive of this computer", async () => {
    const dialog = await files.beginMount("Archive file");
    await dialog.getByRole("button", { name: "Add" }).click();
    await expect(dialog.getByText("Choose a zip, tar or tar.gz.")).toBeVisible();
    const chooser = page.waitForEvent("filechooser");
    await dialog.getByRole("button", { name: "Choose…" }).click();
    await (
      await chooser
    ).setFiles(givenFile("notes.tar.gz", gzipped(tarBytes([{ name: "deep/a.md", text: "from a tar" }]))));
    await expect(dialog.getByRole("textbox", { name: "Path" })).toHaveValue("/notes-2");
    await dialog.getByRole("textbox", { name: "Path" }).fill("/archive");
    await dialog.getByRole("button", { name: "Add" }).click();
    await expect(files.mount("/archive")).toContainText(/archive.*read-only.*1 file/);
  });

  await test.step("an address that is not there says so, and is there another time", async () => {
    const dialog = await files.beginMount("Address");
    await dialog.getByRole("textbox", { name: "Address" }).fill("http://files.example.org/docs.zip");
    await dialog.getByRole("button", { name: "Add" }).click();
    await expect(dialog.getByText(/may reach https addresses/)).toBeVisible();
    await dialog.getByRole("textbox", { name: "Address" }).fill("https://files.example.org/docs.zip");
    await dialog.getByRole("button", { name: "Add" }).click();
    await expect(files.mount("/docs").getByText("✕")).toBeVisible();
    await expectAccessible(page, "a mount that failed");
    served = { status: 200, body: Buffer.from(zipSync({ "guide.md": bytes("first") })) };
    await files.mount("/docs").getByRole("button", { name: "Try again: /docs" }).click();
    await expect(files.mount("/docs")).toContainText("1 file");
    served = { status: 200, body: Buffer.from(zipSync({ "guide.md": bytes("second"), "more.md": bytes("new") })) };
    await files.chooseFromMount("/docs", "Fetch again");
    await expect(files.mount("/docs")).toContainText("2 files");
  });

  await test.step("what is being fetched can be stopped", async () => {
    await page.route("https://slow.example.org/**", () => new Promise(() => undefined));
    const dialog = await files.beginMount("Address");
    await dialog.getByRole("textbox", { name: "Address" }).fill("https://slow.example.org/never.zip");
    await dialog.getByRole("button", { name: "Add" }).click();
    await expect(files.mount("/never").getByRole("progressbar")).toBeVisible();
    await files.mount("/never").getByRole("button", { name: "Stop opening /never" }).click();
    await expect(files.mount("/never")).toContainText("Stopped.");
    await files.chooseFromMount("/never", "Remove");
  });

  await test.step("a package by its name", async () => {
    const dialog = await files.beginMount("Package");
    await dialog.getByRole("textbox", { name: "Package" }).fill("left-pad@1.3.0");
    await expect(dialog.getByRole("textbox", { name: "Path" })).toHaveValue("/left-pad");
    await dialog.getByRole("button", { name: "Add" }).click();
    await expect(files.mount("/left-pad")).toContainText("2 files");
  });

  await page.reload();
  for (const [prefix, count] of [
    ["/archive", "1 file"],
    ["/docs", "2 files"],
    ["/left-pad", "2 files"],
  ] as const)
    await expect(files.mount(prefix)).toContainText(count);
  await playground.run("Read /archive/deep/a.md and /left-pad/index.js");
  await expect(playground.calls(/^ok Read/)).toHaveCount(2);
});

test("a bucket and a WebDAV folder are read and written where they lie, their keys kept by nobody", async ({
  playground,
  page,
}) => {
  const lighttpd = findLighttpd();
  test.skip(lighttpd === undefined, "no lighttpd with mod_webdav on this machine");
  const { files } = playground;
  const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
  const bucket = await s3Server({ credentials, letsPagesIn: true });
  const webdav = await corsServer(lighttpd ?? "");
  playground.expectedComplaints.push(/40\d/, /412/);
  try {
    bucket.objects.set("things/notes/one.md", { bytes: bytes("in the bucket"), etag: '"1"' });
    await playground.openEmptyProject("Stores");

    await test.step("a bucket asks for its key, says a wrong one, and takes files", async () => {
      const dialog = await files.beginMount("S3 bucket");
      await dialog.getByRole("textbox", { name: "Address of the store" }).fill(`http://127.0.0.1:${bucket.port}`);
      await dialog.getByRole("textbox", { name: "Bucket", exact: true }).fill("things");
      await dialog.getByRole("textbox", { name: "Folder in it" }).fill("notes");
      await dialog.getByRole("textbox", { name: "Path" }).fill("/bucket");
      await dialog.getByRole("textbox", { name: "Access key" }).fill(credentials.accessKeyId);
      await dialog.getByLabel("Secret key").fill("wrong");
      await dialog.getByRole("button", { name: "Add" }).click();
      const row = files.mount("/bucket");
      await expect(row.getByRole("button", { name: /^(Give key|Try again)/ }).first()).toBeVisible();
      await giveKey(playground, "/bucket", credentials);
      await expect(row).toContainText("1 file");
      await createFile(playground, "/bucket", "two.md");
      await expect.poll(() => bucket.objects.has("things/notes/two.md")).toBe(true);
    });

    await test.step("a WebDAV folder shows what others write when asked to look", async () => {
      writeFileSync(join(webdav.directory, "open", "a.txt"), "on the server");
      const dialog = await files.beginMount("WebDAV folder");
      await dialog.getByRole("textbox", { name: "Address of the folder" }).fill(`${webdav.url}/open`);
      await dialog.getByRole("textbox", { name: "Path" }).fill("/dav");
      await expectAccessible(page, "the window of a new mount");
      await dialog.getByRole("button", { name: "Add" }).click();
      await expect(files.mount("/dav")).toContainText("1 file");
      await playground.run('Create /dav/b.txt with "from the page", then read /dav/a.txt');
      await expect(files.mount("/dav")).toContainText("2 files");
      expect(readFileSync(join(webdav.directory, "open", "b.txt"), "utf8").trim()).toBe("from the page");
      writeFileSync(join(webdav.directory, "open", "c.txt"), "by somebody else");
      await files.chooseFromMount("/dav", "Look for changes");
      await expect(files.mount("/dav")).toContainText("3 files");
    });

    await test.step("after a reload the bucket waits for its key, the folder for nothing", async () => {
      await page.reload();
      await expect(files.mount("/dav")).toContainText("3 files");
      await giveKey(playground, "/bucket", credentials);
      await expect(files.mount("/bucket")).toContainText("2 files");
      await files.expand("/bucket");
      await expect(files.row("/bucket/one.md")).toBeVisible();
    });
  } finally {
    await bucket.stop();
    await webdav.stop();
  }
  expect(existsSync(webdav.directory)).toBe(false);
});

test("a folder of this computer is written in its place, and asked for again after a reload", async ({
  playground,
  page,
}) => {
  const { files } = playground;
  await page.addInitScript(offerFolder);
  await playground.openEmptyProject("Folder");
  const dialog = await files.beginMount("Folder on this computer");
  await dialog.getByRole("button", { name: "Choose…" }).click();
  await expect(dialog.getByRole("textbox", { name: "Path" })).toHaveValue("/chosen");
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(files.mount("/chosen")).toContainText("1 file");
  await playground.run('Create /chosen/made.txt with "by the agent"');
  expect(await textInFolder(page, "made.txt")).toContain("by the agent");

  await page.reload();
  const allow = files.mount("/chosen").getByRole("button", { name: "Allow access to /chosen" });
  await expect(allow).toBeVisible();
  await expectAccessible(page, "a mount that waits for leave");
  await allow.click();
  await expect(files.mount("/chosen")).toContainText("2 files");
});

test("where the browser opens no folders the kind says so", async ({ playground, page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, "showDirectoryPicker"));
  await playground.openEmptyProject("No folders");
  const dialog = await playground.files.beginMount("Memory");
  await expect(
    dialog.getByRole("radio", { name: /^Folder on this computer.*This browser does not let pages/ }),
  ).toBeDisabled();
});

test("an overlay tells its layers; mounts are edited, moved and removed while a session is open", async ({
  playground,
  page,
}) => {
  const { files } = playground;
  await playground.openEmptyProject("Overlay");
  await playground.run('Create /work/same.md with "upper". Then create /notes/same.md with "lower"');
  await createFile(playground, "/notes", "only.md");
  const dialog = await files.beginMount("Overlay of two");
  await expect(dialog.getByRole("combobox", { name: "Upper" })).toHaveValue(/./);
  await dialog.getByRole("textbox", { name: "Path" }).fill("/both");
  await dialog.getByRole("button", { name: "Add" }).click();
  await files.expand("/both");
  await expect(files.row("/both/same.md")).toContainText("/work over /notes");
  await expect(files.row("/both/only.md")).toContainText("/notes");
  await playground.run("Read /both/same.md");
  await expect(playground.calls(/^ok Read \/both\/same\.md/)).toBeVisible();

  await test.step("edited live", async () => {
    await files.mount("/both").getByRole("button", { name: "/both", exact: true }).click();
    const edit = page.getByRole("dialog", { name: "Edit /both" });
    await edit.getByRole("textbox", { name: "Path" }).fill("/work");
    await expect(edit.getByText("There is a mount at /work already.")).toBeHidden();
    await edit.getByRole("textbox", { name: "Path" }).press("Tab");
    await expect(edit.getByText("There is a mount at /work already.")).toBeVisible();
    await edit.getByRole("textbox", { name: "Path" }).fill("/merged");
    await edit.getByRole("combobox", { name: "Upper" }).selectOption("/notes");
    await edit.getByRole("combobox", { name: "Lower" }).selectOption("/work");
    await edit.getByRole("button", { name: "Save" }).click();
    await files.expand("/merged");
    await expect(files.row("/merged/same.md")).toContainText("/notes over /work");
  });

  await test.step("moved by keys and by dragging, removed and back", async () => {
    const order = () => files.mounts.locator(".mount-prefix").allTextContents();
    await page.getByRole("button", { name: "/merged", exact: true }).press("Alt+ArrowUp");
    await expect.poll(order).toEqual(["/work", "/merged", "/notes"]);
    await expect(page.getByRole("button", { name: "/merged", exact: true })).toBeFocused();
    await files.mount("/notes").locator(".tag").dragTo(files.mount("/work").locator(".tag"));
    await expect.poll(order).toEqual(["/notes", "/work", "/merged"]);
    await files.chooseFromMount("/merged", "Remove");
    await expect.poll(order).toEqual(["/notes", "/work"]);
    await playground.notice("Removed the mount /merged").getByRole("button", { name: "Undo" }).click();
    await expect.poll(order).toEqual(["/notes", "/work", "/merged"]);
  });
});

async function giveKey(
  { page }: Playground,
  prefix: string,
  { accessKeyId, secretAccessKey }: { readonly accessKeyId: string; readonly secretAccessKey: string },
): Promise<void> {
  await page.getByRole("button", { name: `Give key… for ${prefix}` }).click();
  const dialog = page.getByRole("dialog", { name: `Key for ${prefix}` });
  await dialog.getByRole("textbox", { name: "Access key" }).fill(accessKeyId);
  await dialog.getByLabel("Secret key").fill(secretAccessKey);
  await dialog.getByRole("button", { name: "Open" }).click();
  await expect(dialog).toBeHidden();
}

async function createFile({ files }: Playground, directory: string, name: string): Promise<void> {
  await files.chooseFromRow(directory, "New file…");
  await files.nameEntry(name);
  await expect(files.row(`${directory}/${name}`)).toBeVisible();
}

/** Answers as the registry of packages does, with one package. */
async function servePackage(page: Page, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const tarball = `https://registry.npmjs.org/${name}/-/${name}.tgz`;
  const packed = gzipped(tarBytes(Object.entries(files).map(([path, text]) => ({ name: `package/${path}`, text }))));
  const headers = { "Access-Control-Allow-Origin": "*" };
  await page.route(`https://registry.npmjs.org/${name}/**`, (route) =>
    route.request().url() === tarball
      ? route.fulfill({ headers, body: Buffer.from(packed) })
      : route.fulfill({ headers, json: { dist: { tarball } } }),
  );
}

/** The browser's own window gives a folder of the page's private files, which is asked for as one of the computer is. */
function offerFolder(): void {
  let isAllowed = false;
  const folder = async () => {
    const root = await navigator.storage.getDirectory();
    const chosen = await root.getDirectoryHandle("chosen", { create: true });
    const first = await chosen.getFileHandle("first.txt", { create: true });
    const writable = await first.createWritable();
    await writable.write("was there");
    await writable.close();
    return chosen;
  };
  const allow = async () => {
    isAllowed = true;
    return "granted";
  };
  Object.assign(window, {
    async showDirectoryPicker() {
      await allow();
      return folder();
    },
  });
  Object.assign(FileSystemHandle.prototype, {
    queryPermission: async () => (isAllowed ? "granted" : "prompt"),
    requestPermission: allow,
  });
}

function textInFolder(page: Page, name: string): Promise<string> {
  return page.evaluate(async (fileName) => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("chosen");
    return (await (await folder.getFileHandle(fileName)).getFile()).text();
  }, name);
}
