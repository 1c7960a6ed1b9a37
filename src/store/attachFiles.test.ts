import { describe, expect, it } from "vitest";
import { workbenchFixture } from "../testing/workbenchFixture";
import { attachFiles } from "./attachFiles";

async function attachFixture(readOnly: boolean) {
  const { workbench } = await workbenchFixture({
    document: {
      mounts: [
        { id: "held", prefix: "/held", kind: "memory", readOnly: true, color: 1, seed: { "/a": "a" } },
        { id: "work", prefix: "/work", kind: "memory", readOnly, color: 2, seed: { "/attachments/image.png": "old" } },
      ],
    },
  });
  const mounts = () => workbench.mounts.getState();
  return {
    attach: (...names: string[]) =>
      attachFiles(
        mounts(),
        names.map((name) => new File([`new ${name}`], name)),
      ),
    read: (path: string) => mounts().liveTree().read(path),
  };
}

describe("attachFiles", () => {
  it("writes files into the first mount that takes writes, beside what has their name", async () => {
    const { attach, read } = await attachFixture(false);
    expect(await attach("image.png", "notes", "image.png", ".env")).toEqual({
      paths: [
        "/work/attachments/image-2.png",
        "/work/attachments/notes",
        "/work/attachments/image-3.png",
        "/work/attachments/.env",
      ],
      refused: [],
    });
    expect(await read("/work/attachments/image.png")).toBe("old");
    expect(await read("/work/attachments/image-2.png")).toBe("new image.png");
  });

  it("says why not where no mount takes writes, and which file is not taken", async () => {
    expect(await (await attachFixture(true)).attach("a")).toEqual({
      paths: [],
      refused: ["No mount takes writes: add one, or take “read-only” off one."],
    });
    expect(await (await attachFixture(false)).attach("n".repeat(256), "b")).toEqual({
      paths: ["/work/attachments/b"],
      refused: [`“${"n".repeat(256)}” was left out: a name in its path is longer than 255 bytes`],
    });
  });
});
