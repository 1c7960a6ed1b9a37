import { expect, it } from "vitest";
import { tempFs } from "../fs";
import { embeddedHost } from "../host";
import { openProjects } from "../storage";
import { importTrajectory, placementAt, reexecutionReport } from "../trajectory";
import { readingShell } from "./reexecuteShell";
import type { WorkbenchCore } from "./workbenchCore";

/** Commands another program ran in /repo, what a real shell printed, and what running them here comes to. */
const SAME = "equal after normalisation";
const RAN: readonly (readonly [command: string, output: string, found: string, told?: string])[] = [
  ["cat src/a.ts", "one\ntwo\nthree", SAME],
  ["sed -n '2,3p' /repo/src/a.ts", "two\nthree", SAME],
  ["nl -ba src/a.ts | head -2", "     1\tone\n     2\ttwo", SAME],
  ["cd src && tail -n 1 a.ts", "three", SAME],
  ["ls src", "a.ts\nb.md", SAME],
  ["find . -name '*.md' | sort", "./README.md\n./src/b.md", SAME],
  ["grep -n t src/a.ts", "2:two\n3:three", SAME],
  ["rg -n needle src", "src/b.md:1:needle", SAME],
  ["wc -l src/a.ts", "3 src/a.ts", SAME],
  ["pwd", "/repo", SAME],
  ["cat none.txt", "cat: none.txt: No such file or directory", SAME],
  ["head -1 README.md && echo end", "another title\nend", "differs", "title"],
  ["cat README.md", "title", SAME],
  ["npm test", "ok", "not run", "The command is not one of those that surely only read; its recorded result stands."],
  ["ls", "README.md\ncoverage\nsrc", "not comparable", "Call 14, which was not run, may have changed /."],
];

const line = (fields: object): string =>
  JSON.stringify({ sessionId: "s", version: "2.1.0", cwd: "/repo", timestamp: "2026-01-01T00:00:00.000Z", ...fields });

const recording = [
  line({ type: "user", uuid: "u", parentUuid: null, message: { content: "look" } }),
  ...RAN.flatMap(([command, content], index) => [
    line({
      type: "assistant",
      uuid: `c${index}`,
      parentUuid: index === 0 ? "u" : `r${index - 1}`,
      message: {
        id: `m${index}`,
        model: "x",
        content: [{ type: "tool_use", id: `t${index}`, name: "Bash", input: { command } }],
      },
    }),
    line({
      type: "user",
      uuid: `r${index}`,
      parentUuid: `c${index}`,
      message: { content: [{ type: "tool_result", tool_use_id: `t${index}`, content }] },
    }),
  ]),
].join("\n");

it("recorded commands that only read run on the in-page host over a copy of the tree", async () => {
  const catalog = await openProjects({ name: `reading shell ${crypto.randomUUID()}`, now: () => 1 });
  const { id } = await catalog.create("Project");
  const storage = await catalog.open(id);
  let document: { removedDisks?: readonly string[] } = {};
  const core = {
    services: {
      randomSeed: () => crypto.randomUUID(),
      createHost: (_kind: string, place: Parameters<typeof embeddedHost>[0]) => Promise.resolve(embeddedHost(place)),
    },
    storage,
    project: { getState: () => ({ ...document, change: (next: typeof document) => void (document = next) }) },
  } as unknown as Pick<WorkbenchCore, "services" | "storage" | "project">;
  const tree = await tempFs({
    "/README.md": "title\n",
    "/src/a.ts": "one\ntwo\nthree\n",
    "/src/b.md": "needle\n",
  }).snapshot();
  const shell = readingShell(core, "/");
  const { sessions } = await importTrajectory({ files: [{ path: "s.jsonl", blob: new Blob([recording]) }] });
  const events = sessions[0]?.events ?? [];
  const placement = placementAt(events, "/");
  const start = { kind: "mounts", tree } as const;
  const { calls, roots } = await reexecutionReport({ events, start, placement, shell: shell.run });
  await shell.close();
  expect(calls.map((call, index) => [RAN[index]?.[0], call.class, call.why ?? call.difference?.actual])).toEqual(
    RAN.map(([command, , found, told]) => [command, found, told]),
  );
  expect(roots).toEqual([12]);
  expect(document).toEqual({ removedDisks: [] });
  await storage.close();
  await catalog.delete(id);
  catalog.close();
});
