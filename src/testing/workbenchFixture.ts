import { vi } from "vitest";
import type { JsonObject } from "../base";
import { inlineEngine } from "../fs";
import type { LanguageModelV4 } from "../model";
import { createKeyring } from "../secrets";
import { openProjects, type ProjectCatalog } from "../storage";
import { createWorkbench, emptyProjectDocument, type ProjectDocument, type Workbench } from "../store";
import { scriptedHost } from "./scriptedHost";
import { scriptedModel } from "./scriptedModel";
import { tickingClock } from "./sessionFixture";

export interface WorkbenchFixtureOptions {
  /** Answers the next runs; may be changed between them. */
  readonly model?: LanguageModelV4;
  readonly document?: Partial<ProjectDocument>;
  /** Carries out the commands of the project's host; there is none when left out. */
  readonly runCommand?: Parameters<typeof scriptedHost>[1];
  /** Opens a project again, as a reload does. */
  readonly from?: WorkbenchFixture;
}

export interface WorkbenchFixture {
  readonly workbench: Workbench;
  readonly catalog: ProjectCatalog;
  readonly projectId: string;
  useModel(model: LanguageModelV4): void;
}

/** A whole workbench in memory: nothing of it is kept, and its frames come at once. */
export async function workbenchFixture(options: WorkbenchFixtureOptions = {}): Promise<WorkbenchFixture> {
  const { from } = options;
  // Node has the channel between tabs but no page events: without it, storage falls back to memory at once.
  vi.stubGlobal("BroadcastChannel", undefined);
  const catalog = from?.catalog ?? (await openProjects());
  const document = { ...emptyProjectDocument, ...options.document } as unknown as JsonObject;
  const projectId = from?.projectId ?? (await catalog.create("Test", document)).id;
  let model = options.model ?? scriptedModel([]);
  let seeds = 0;
  const workbench = await createWorkbench(
    {
      catalog,
      engine: inlineEngine,
      keyring: createKeyring(),
      clock: tickingClock(),
      randomSeed: () => `${from === undefined ? "seed" : "later"}-${seeds++}`,
      createModel: () => Promise.resolve(model),
      ...(options.runCommand === undefined
        ? {}
        : { createHost: (_kind, { disk }) => Promise.resolve(scriptedHost(disk, options.runCommand ?? noCommand)) }),
      scheduleFrame: (callback) => void setTimeout(callback),
      listProjects: () => catalog.list(),
      showProject: () => Promise.resolve(),
      deleteProjectLater: () => Promise.resolve(),
    },
    projectId,
  );
  return {
    workbench,
    catalog,
    projectId,
    useModel: (next) => {
      model = next;
    },
  };
}

const noCommand = () => Promise.reject(new Error("The test runs no commands."));

/** Resolves when the condition holds; fails the test when it never does. */
export async function until(condition: () => boolean, whatFor: string): Promise<void> {
  const end = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`never came: ${whatFor}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
