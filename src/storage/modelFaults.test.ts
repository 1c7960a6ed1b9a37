import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "../base";
import { idbFs, openProjectDatabase } from "../fs";
import { expectTyped, FILES, Workload, type Action } from "./faultWorkload.suite";
import { FaultyStore, type Fault, type FaultyProcess } from "./faultyStore.suite";

/**
 * A disk and a session's log under faults, held against a model: what reopens is what was acknowledged and then, at most, the
 * first of what was under way; never less, and nothing in half.
 */

const RUNS = Number(process.env["FAULT_RUNS"] ?? 300);

/** Lives: in each so much is done before the process ends, and so much goes wrong. */
interface Life {
  readonly actions: readonly Action[];
  readonly faults: readonly Fault[];
}

async function expectNothingLost(lives: readonly Life[]): Promise<void> {
  const faults: Fault[] = [];
  const workload = new Workload(
    (function* () {
      for (;;) yield faults.shift() ?? "none";
    })(),
  );
  for (const life of lives) {
    faults.push(...life.faults);
    await workload.run(life.actions);
    faults.length = 0;
    await workload.reopen();
  }
}

const file = fc.integer({ min: 0, max: FILES - 1 });
const burst = fc.boolean();
const actions: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("write" as const), file, size: fc.integer({ min: 1, max: 40 }), burst }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("import" as const), count: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), file, burst }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rename" as const), file, burst }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("log" as const),
      count: fc.integer({ min: 1, max: 4 }),
      large: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "keep" } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: "sweep" } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: "close" } as const) },
);
const anyFault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 20, arbitrary: fc.constant("none" as const) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Fault>("refused", "cut off", "no room", "crash before", "crash after"),
  },
);
const lives = fc.array(
  fc.record({ actions: fc.array(actions, { maxLength: 25 }), faults: fc.array(anyFault, { maxLength: 60 }) }),
  { minLength: 1, maxLength: 3 },
);

/** Checkpoints every few commits, so that a short workload has some. */
const changed = limits as { checkpointLogRecords: number; checkpointDelayMs: number };
const { checkpointLogRecords, checkpointDelayMs } = limits;
beforeAll(() => {
  Object.assign(changed, { checkpointLogRecords: 4, checkpointDelayMs: 0 });
});
afterAll(() => {
  Object.assign(changed, { checkpointLogRecords, checkpointDelayMs });
});

describe("a disk and a log under faults", () => {
  test(
    `hold what was acknowledged, in ${RUNS} workloads of chance`,
    async () => {
      await fc.assert(fc.asyncProperty(lives, expectNothingLost), {
        numRuns: RUNS,
        endOnFailure: process.env["CI"] !== undefined,
      });
    },
    60_000 + RUNS * 50,
  );

  for (const fault of ["refused", "cut off", "no room", "crash before", "crash after"] as const) {
    test(`hold what two tabs wrote when one slept through the other's checkpoint and then meets: ${fault}`, async () => {
      for (let at = 0; at < 12; at++) {
        const faults: Fault[] = [];
        const store = new FaultyStore(
          (function* () {
            for (;;) yield faults.shift() ?? "none";
          })(),
        );
        const [sleeper, busy] = [store.process(), store.process()];
        const diskOf = async (process: FaultyProcess) =>
          idbFs({ database: await openProjectDatabase("faults", { storage: process.records() }), disk: "d" });
        const sleeping = await diskOf(sleeper);
        await sleeping.write("/first", "1");
        const working = await diskOf(busy);
        const acknowledged = ["/first"];
        for (let number = 0; number < 6; number++) {
          await working.write(`/busy/${number}`, "b");
          acknowledged.push(`/busy/${number}`);
        }
        // A checkpoint is due.
        await working.close();
        faults.push(...Array.from({ length: at }, (): Fault => "none"), fault);
        const waking = (async () => {
          for (const path of ["/woken/1", "/woken/2"]) {
            await sleeping.write(path, "w").then(
              () => acknowledged.push(path),
              (error: unknown) => expectTyped(error),
            );
          }
        })();
        await Promise.race([waking, sleeper.died]);
        sleeper.kill();
        faults.length = 0;
        const files = (await (await diskOf(store.process())).snapshot()).files();
        const found = [...files].map(([path]) => path);
        expect(found).toEqual(expect.arrayContaining(acknowledged));
        expect(found.filter((path) => !acknowledged.includes(path)).length).toBeLessThanOrEqual(1);
      }
    });
  }

  const scenario: readonly Action[] = [
    { kind: "write", file: 1, size: 3, burst: false },
    { kind: "log", count: 2, large: true },
    { kind: "import", count: 12 },
    { kind: "keep" },
    { kind: "write", file: 2, size: 3, burst: true },
    { kind: "write", file: 3, size: 3, burst: true },
    { kind: "delete", file: 1, burst: true },
    { kind: "rename", file: 4, burst: false },
    { kind: "close" },
    { kind: "log", count: 3, large: false },
    { kind: "delete", file: 5, burst: false },
    { kind: "sweep" },
    { kind: "write", file: 6, size: 3, burst: false },
    { kind: "log", count: 1, large: true },
    { kind: "close" },
    { kind: "write", file: 6, size: 9, burst: false },
  ];
  for (const fault of ["refused", "cut off", "no room", "crash before", "crash after"] as const) {
    test(`hold it when any one transaction of a workload is met by: ${fault}`, async () => {
      const calm = new Workload([]);
      await calm.run(scenario);
      const { transactions } = calm.store;
      expect(transactions).toBeGreaterThan(18);
      for (let at = 0; at < transactions + 2; at++) {
        const before = Array.from({ length: at }, (): Fault => "none");
        await expectNothingLost([
          { actions: scenario, faults: [...before, fault] },
          { actions: scenario.slice(0, 6), faults: [] },
        ]);
      }
    });
  }
});
