import { openProjects } from "../../src/storage";
import { commits, imports, largeFiles, singleWrites } from "./fileWorkloads";
import { fullDisk } from "./fullDisk";
import { projects, sessionLog } from "./recordWorkloads";
import { countForEver, counts, tabIncrements } from "./tabIncrements";
import type { Verdict, Workload, WorkPlace } from "./workload";

const workloads = { singleWrites, imports, largeFiles, commits, sessionLog, projects } satisfies Record<
  string,
  Workload
>;

export type WorkloadName = keyof typeof workloads;

async function openPlace(): Promise<WorkPlace> {
  const catalog = await openProjects();
  const main = (await catalog.list()).find(({ name }) => name === "main") ?? (await catalog.create("main"));
  const store = await catalog.open(main.id);
  return { catalog, store, disk: store.disk("main") };
}

/** What the tests call in this page, which is the product's storage without its screens. */
const faults = {
  /** Works until the browser is killed, and tells how far it is by `acknowledged`, a function the test gives the page. */
  async run(name: WorkloadName, from: number): Promise<void> {
    const place = await openPlace();
    const acknowledge = (steps: number) => void globalThis.acknowledged(steps);
    workloads[name].run(place, from, acknowledge).catch((error: unknown) => console.error("the work ended", error));
  },
  async check(name: WorkloadName, acknowledged: number): Promise<Verdict> {
    return workloads[name].check(await openPlace(), acknowledged);
  },
  async countForEver(tab: string): Promise<void> {
    const { disk } = await openPlace();
    countForEver(disk, tab, (count) => void globalThis.acknowledged(count)).catch((error: unknown) =>
      console.error("the work ended", error),
    );
  },
  counts: async (tabs: readonly string[]) => counts((await openPlace()).disk, tabs),
  fullDisk: async () => fullDisk(await openPlace()),
  increments: async (rounds: number) => tabIncrements((await openPlace()).disk, rounds),
  /** Makes the project, so that two tabs do not make one each. @returns the number as it is */
  begin: async () => (await counts((await openPlace()).disk, [])).value,
};

type Faults = typeof faults;

declare global {
  // eslint-disable-next-line no-var -- the only way to declare a global
  var faults: Faults;
  // eslint-disable-next-line no-var
  var acknowledged: (steps: number) => Promise<void>;
}

globalThis.faults = faults;
