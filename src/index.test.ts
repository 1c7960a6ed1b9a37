import { expect, test } from "vitest";
import * as rootscope from ".";

test("the public entry offers what the documents name, and it works together", async () => {
  const { defineAgent, tempFs, unionFs } = rootscope;
  const root = unionFs({ "/repo": tempFs({ "/a.txt": "hello" }), "/plans": tempFs({}) });
  const agent = defineAgent({ name: "notes", instructions: "Read the notes.", root });
  expect(agent.name).toBe("notes");
  expect(await root.read("/repo/a.txt")).toBe("hello");
  expect(Object.keys(rootscope).toSorted()).toEqual([
    "ArchiveError",
    "ConflictError",
    "DeleteNotSupportedError",
    "DirectoryPermissionError",
    "DiscoveryError",
    "EditError",
    "FileNotFoundError",
    "GrepBudgetError",
    "InvalidGrepPatternError",
    "InvalidPathError",
    "NoMountError",
    "NotADirectoryError",
    "NotAFileError",
    "PathError",
    "PermissionError",
    "QuotaError",
    "ReadOnlyMountError",
    "SourceError",
    "ToolInputError",
    "UnavailableError",
    "UnknownFileTypeError",
    "UnsafeStoreError",
    "WriteFailedError",
    "agentReport",
    "archiveEntries",
    "cloudRuntime",
    "defineAgent",
    "defineConnection",
    "defineSkill",
    "defineTool",
    "directoryFs",
    "discover",
    "emptyFs",
    "forkFs",
    "grokbotRuntime",
    "hostFs",
    "idbFiles",
    "idbFs",
    "localRuntime",
    "openProjectDatabase",
    "openSharedFs",
    "overlayFs",
    "packageEntries",
    "s3Files",
    "sandboxRuntime",
    "skillsFs",
    "tempFs",
    "unionFs",
    "urlEntries",
    "virtualRuntime",
    "webdavFiles",
  ]);
});
