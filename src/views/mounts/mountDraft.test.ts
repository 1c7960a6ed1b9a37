import { describe, expect, it } from "vitest";
import type { MountView } from "../../store";
import {
  draftOf,
  draftPrefix,
  draftProblems,
  draftReadOnly,
  newMountFrom,
  patchFrom,
  type MountDraft,
} from "./mountDraft";

const fresh = draftOf(undefined, []);

function view(source: MountView["source"], more: Partial<MountView> = {}): MountView {
  return {
    id: "m1",
    prefix: "/there",
    kind: source.kind,
    source,
    readOnly: false,
    state: "ready",
    color: 1,
    fileCount: 0,
    sizeBytes: 0,
    hides: [],
    ...more,
  };
}

describe("the path of a new mount", () => {
  it.each([
    [{ kind: "idb" }, "/files"],
    [{ kind: "archive", file: new File([], "notes.tar.gz") }, "/notes"],
    [{ kind: "address", url: "https://example.org/a/my%20docs.zip?x=1" }, "/my docs"],
    [{ kind: "address", url: "https://exam" }, "/address"],
    [{ kind: "package", package: "@scope/left-pad@1.2.3" }, "/left-pad"],
    [{ kind: "s3", bucket: "things", bucketFolder: "a/b/" }, "/b"],
    [{ kind: "s3", bucket: "things" }, "/things"],
    [{ kind: "webdav", webdavUrl: "https://dav.example.org/home/" }, "/home"],
    [{ kind: "webdav", webdavUrl: "https://dav.example.org" }, "/webdav"],
    [{ kind: "idb", prefix: "/mine" }, "/mine"],
  ] as const satisfies [Partial<MountDraft>, string][])("is suggested by %o until one is written", (patch, prefix) => {
    expect(draftPrefix({ ...fresh, ...patch }, [])).toBe(prefix);
  });

  it("is one that is free", () => {
    const taken = ["/files", "/files-2"].map((prefix) => view({ kind: "memory" }, { prefix }));
    expect(draftPrefix(fresh, taken)).toBe("/files-3");
  });
});

describe("what keeps a draft from being a mount", () => {
  it.each([
    [{ kind: "idb" }, {}],
    [{ kind: "folder" }, { folder: "Choose a folder." }],
    [{ kind: "archive" }, { file: "Choose a zip, tar or tar.gz." }],
    [{ kind: "address", url: "ftp://x" }, { url: "An address begins with https:// (or http:// on this computer)." }],
    [
      { kind: "package", package: "two names" },
      { package: "Write a name, or a name and one version: zod, zod@4.0.0, @scope/name." },
    ],
    [
      { kind: "s3", endpoint: "https://s3", bucket: "a/b", accessKeyId: "A" },
      {
        bucket: "A bucket's name has no /: write a folder in the field for it.",
        secretAccessKey: "Write the secret key that belongs to it.",
      },
    ],
    [
      { kind: "s3", endpoint: "https://s3", bucket: "b" },
      {
        accessKeyId: "Write the access key, or choose “public, no key”.",
        secretAccessKey: "Write the secret key that belongs to it.",
      },
    ],
    [{ kind: "s3", endpoint: "https://s3", bucket: "b", accessKeyId: "A", access: "public" }, {}],
    [{ kind: "webdav" }, { webdavUrl: "Write the address of a folder on the server." }],
    [{ kind: "overlay", upper: "a", lower: "a" }, { lower: "Choose another mount: this one is the upper." }],
  ] as const satisfies [Partial<MountDraft>, object][])("%o", (patch, problems) => {
    expect(draftProblems({ ...fresh, ...patch }, false)).toEqual(problems);
  });

  it("is nothing where the mount has its folder or archive already", () => {
    expect(draftProblems({ ...fresh, kind: "folder" }, true)).toEqual({});
    expect(draftProblems({ ...fresh, kind: "archive" }, true)).toEqual({});
    expect(draftProblems({ ...fresh, kind: "s3", endpoint: "https://s3", bucket: "b" }, true)).toEqual({});
  });
});

describe("a draft without problems", () => {
  it("is a mount of its kind with that kind's fields only", () => {
    const draft: MountDraft = {
      ...fresh,
      kind: "s3",
      url: "https://left.over",
      endpoint: " https://s3.example.org/ ",
      bucket: "things",
      bucketFolder: "/a//b/",
      accessKeyId: "A",
      secretAccessKey: "S",
    };
    expect(newMountFrom(draft, [])).toEqual({
      kind: "s3",
      endpoint: "https://s3.example.org",
      bucket: "things",
      region: "us-east-1",
      folder: "a/b",
      addressing: "path",
      access: "keys",
      credentials: { accessKeyId: "A", secretAccessKey: "S" },
      prefix: "/b",
      readOnly: false,
    });
  });

  it("is for reading where it was brought in, until a person says otherwise", () => {
    expect(
      ["idb", "folder", "archive", "address", "package", "overlay"].map((kind) =>
        draftReadOnly({ ...fresh, kind: kind as MountDraft["kind"] }),
      ),
    ).toEqual([false, false, true, true, true, true]);
    expect(draftReadOnly({ ...fresh, kind: "package", readOnly: false })).toBe(false);
  });

  it("changes of a mount what is another, and names its source only then", () => {
    const mount = view({ kind: "package", disk: "d", package: "zod" }, { readOnly: true });
    const draft = draftOf(mount, []);
    expect(patchFrom({ ...draft, prefix: "/zod" }, mount)).toEqual({ prefix: "/zod", readOnly: true });
    expect(patchFrom({ ...draft, package: "zod@4.0.0" }, mount).source).toEqual({
      kind: "package",
      package: "zod@4.0.0",
    });
    const dav = view({ kind: "webdav", url: "https://dav.example.org/x", user: "me" });
    expect(patchFrom({ ...draftOf(dav, []), password: "p" }, dav).source).toEqual({
      kind: "webdav",
      url: "https://dav.example.org/x",
      user: "me",
      password: "p",
    });
  });
});
