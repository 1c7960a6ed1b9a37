import { expect, it } from "vitest";
import { createWorkerEngine, tempFs, type GrepResult } from "../fs";
import { webFetchTool } from "../tools";
import { boundAgent } from "./boundAgent";
import { emptyProjectDocument } from "./projectDocument";

it("searches the scratch of a turn in the workers: a pattern that runs away is given up and the page goes on", async () => {
  const engine = createWorkerEngine({
    createWorker: () => new Worker(new URL("../fs/grep/engineWorker.ts", import.meta.url), { type: "module" }),
    fileBudgetMs: 1_000,
  });
  const { agent, model } = emptyProjectDocument;
  const tree = tempFs({}, { engine });
  const bound = await boundAgent(
    { clock: Date.now, engine },
    {
      agent: () => agent,
      model: () => model,
      mounts: () => [],
      harnessTools: async () => ({ webFetch: [webFetchTool()] }),
      liveTree: () => tree,
      currentSnapshot: () => tree.snapshot(),
      beginRun: () => tree.snapshot(),
    },
    {},
  );
  await bound.scratch?.tree.write("/spilled.txt", `${"a".repeat(34)}!\n`);
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  const hits: GrepResult[] = [];
  const searching = (async () => {
    for await (const hit of bound.tree.grep({ pattern: "^(a|a)*$", path: "/tmp" })) hits.push(hit);
  })();
  await expect(searching).rejects.toMatchObject({
    code: "invalid-grep-pattern",
    message: "grep pattern takes too long: ^(a|a)*$",
    path: "/tmp",
  });
  clearInterval(timer);
  engine.dispose();
  expect(hits).toEqual([]);
  expect(turns).toBeGreaterThan(20);
});
