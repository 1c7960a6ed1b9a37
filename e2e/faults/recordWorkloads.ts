import type { SessionEvent } from "../../src/session";
import { createLogWriter, type ProjectStore, type SessionRecord } from "../../src/storage";
import { stepOf, textOf, type Workload } from "./workload";

const SESSION = "session";
const EVENTS_A_STEP = 4;
/** Characters from which a value in an event is stored on its own (`limits.largeValueBytes`), and more. */
const LARGE_CHARACTERS = 90_000;

const sessionRecord = (id: string): SessionRecord => ({
  id,
  name: id,
  createdAt: 1,
  updatedAt: 1,
  eventCount: 0,
  status: "running",
  preview: "",
  origin: "live",
});

/** The events of one step: what was said in three parts, then that a file was written, named by its hash. */
function eventsOf(step: number, hash: string): SessionEvent[] {
  const meta = (index: number) => ({ id: `evt_${step * EVENTS_A_STEP + index}`, at: "2026-01-01T00:00:00.000Z" });
  const said = [0, 1, 2].map((index): SessionEvent => ({
    type: "message.appended",
    data: {
      turnId: "turn_0",
      sequence: 0,
      stepIndex: 0,
      messageDelta: textOf(step, "said", step % 5 === 0 && index === 1 ? LARGE_CHARACTERS : 200),
    },
    meta: meta(index),
  }));
  const changed: SessionEvent = {
    type: "tree.changed",
    data: { reason: "edit", changes: [{ path: fileOf(step), after: hash }] },
    meta: meta(3),
  };
  return [...said, changed];
}

const fileOf = (step: number) => `/out/${step % 40}.txt`;

/** A session that runs: a file is written, then the log tells of it, and goes on. */
export const sessionLog: Workload = {
  async run({ disk, store }, from, acknowledge) {
    if (from === 0) await store.createSession(sessionRecord(SESSION));
    const writer = createLogWriter(store.log(SESSION));
    for (let step = from; ; step++) {
      await disk.write(fileOf(step), textOf(step, fileOf(step), 3_000));
      const hash = (await disk.snapshot()).file(fileOf(step))?.hash ?? "";
      for (const event of eventsOf(step, hash)) {
        writer.append(event);
        // Now and then a frame passes in between, as when a model speaks.
        if (step % 7 === 0) await new Promise((resolve) => setTimeout(resolve));
      }
      await writer.durable();
      await store.updateSession(SESSION, { status: `step ${step}` });
      acknowledge(step + 1);
    }
  },
  async check({ disk, store }, acknowledged) {
    const losses: string[] = [];
    const events: SessionEvent[] = [];
    for await (const batch of store.log(SESSION).read()) events.push(...batch);
    const steps = Math.floor(events.length / EVENTS_A_STEP);
    if (steps < acknowledged) losses.push(`${acknowledged} steps of the log were acknowledged, ${steps} are there`);
    const record = (await store.sessions()).find(({ id }) => id === SESSION);
    if (acknowledged > 0 && record?.eventCount !== events.length)
      losses.push(`the list says ${record?.eventCount} events, the log has ${events.length}`);
    const newest = new Map<string, number>();
    for (const [index, event] of events.entries()) {
      const step = Math.floor(index / EVENTS_A_STEP);
      const change = event.type === "tree.changed" ? event.data.changes[0] : undefined;
      const [expected] = eventsOf(step, change?.after ?? "").slice(index % EVENTS_A_STEP);
      if (JSON.stringify(event) !== JSON.stringify(expected)) losses.push(`event ${index} is not what was appended`);
      if (change?.after === undefined) continue;
      newest.set(change.path, step);
      const kept = await store.blobs.getText(change.after);
      if (kept === undefined || stepOf(kept, change.path) !== step)
        losses.push(`what event ${index} names is not kept`);
    }
    // What the log says was written lies on the disk, or the step after it does.
    for (const [path, step] of newest) {
      const onDisk = stepOf(await disk.read(path), path);
      if (onDisk !== step && onDisk !== steps)
        losses.push(`the log ends with step ${step} of ${path}, the disk with ${onDisk}`);
    }
    await fillUpStep(store, events.length);
    return { losses, steps: Math.ceil(events.length / EVENTS_A_STEP), compared: events.length };
  },
};

/** A step that was cut in its middle is filled up, so that the next run goes on where a step begins. */
async function fillUpStep(store: ProjectStore, eventCount: number): Promise<void> {
  const rest = eventCount % EVENTS_A_STEP;
  if (rest === 0) return;
  const step = Math.floor(eventCount / EVENTS_A_STEP);
  const hash = (await store.disk("main").snapshot()).file(fileOf(step))?.hash ?? "";
  await store.log(SESSION).append(eventsOf(step, hash).slice(rest));
}

const KEPT_PROJECTS = 4;
const projectName = (step: number) => `project ${step}`;

/** Projects that are made, filled, copied, renamed and deleted. */
export const projects: Workload = {
  async run({ catalog }, from, acknowledge) {
    for (let step = from; ; step++) {
      const { id } = await catalog.create(`half of ${step}`, { step });
      const store = await catalog.open(id);
      await store.disk("main").writeMany(projectFiles(step));
      await store.close();
      const copy = await catalog.duplicate(id, "copy on its way");
      await catalog.delete(id);
      await catalog.rename(copy.id, projectName(step));
      acknowledge(step + 1);
      for (const old of await catalog.list())
        if (old.name === projectName(step - KEPT_PROJECTS)) await catalog.delete(old.id);
    }
  },
  async check({ catalog }, acknowledged) {
    const losses: string[] = [];
    const listed = await catalog.list();
    let compared = 0;
    const whole = new Set<number>();
    for (const { id, name } of listed) {
      const step = Number(/^project (\d+)$/.exec(name)?.[1] ?? NaN);
      const store = await catalog.open(id).catch((error: unknown) => String(error));
      if (typeof store === "string") {
        losses.push(`${name} is listed and does not open: ${store}`);
        continue;
      }
      const document = await store.loadDocument();
      const disk = store.disk("main");
      for (const [path, text] of Number.isNaN(step) ? [] : projectFiles(step)) {
        if ((await disk.stat(path)).kind !== "file" || (await disk.read(path)) !== text)
          losses.push(`${name}: ${path} is not what was written`);
        compared++;
      }
      if (!Number.isNaN(step) && document["step"] !== step)
        losses.push(`${name} has the document of ${JSON.stringify(document)}`);
      if (!Number.isNaN(step)) whole.add(step);
      await disk.close();
      await store.close();
      // What a fault cut off in its middle has another name; the next run does not trip over it.
      if (Number.isNaN(step) && name !== "main") await catalog.delete(id);
    }
    for (let step = Math.max(0, acknowledged - KEPT_PROJECTS + 1); step < acknowledged; step++)
      if (!whole.has(step)) losses.push(`project ${step} was acknowledged and is not listed`);
    return { losses, steps: Math.max(acknowledged, ...[...whole].map((step) => step + 1)), compared };
  },
};

function projectFiles(step: number): (readonly [path: string, text: string])[] {
  return Array.from({ length: 60 }, (_, index) => {
    const path = `/${index}.txt`;
    return [path, textOf(step, path, 1_000)] as const;
  });
}
