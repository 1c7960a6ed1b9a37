import { createStore, type StoreApi } from "zustand/vanilla";
import type { ConnectionStep, ModelSettings } from "../model";
import { messageFromError } from "./messageFromError";
import type { WorkbenchCore } from "./workbenchCore";

/** Whether the model is known to answer: from a test, since the settings last changed. */
export type ModelReadiness = "ready" | "untested" | "failed";

export interface ModelState {
  readonly readiness: ModelReadiness;
  readonly testing: boolean;
  /** The steps of the last test so far. */
  readonly steps: readonly ConnectionStep[];
  /** Models the server lists; absent until it was asked. */
  readonly modelIds: readonly string[] | undefined;
  readonly listProblem: string | undefined;
  /** A key for the address of the settings is held in memory. */
  readonly hasKey: boolean;

  /** Takes other settings; a key bound to another origin is forgotten. */
  readonly choose: (settings: ModelSettings) => void;
  /** Holds a key in memory for the chosen server, or forgets it when empty. */
  readonly setKey: (key: string) => void;
  readonly listModels: () => Promise<void>;
  readonly test: () => Promise<void>;
}

export type ModelStore = StoreApi<ModelState>;

export function createModelStore({ services, project }: WorkbenchCore): ModelStore {
  const { keyring } = services;
  let running: AbortController | undefined;
  const fresh = (settings: ModelSettings) => ({
    readiness: settings.kind === "demo" ? ("ready" as const) : ("untested" as const),
    testing: false,
    steps: [],
    hasKey: settings.kind === "openai-compatible" && keyring.has(settings.baseUrl),
  });
  return createStore<ModelState>()((set) => ({
    ...fresh(project.getState().model),
    modelIds: undefined,
    listProblem: undefined,

    choose(settings) {
      const before = project.getState().model;
      running?.abort();
      const moved =
        before.kind === "openai-compatible" &&
        settings.kind === "openai-compatible" &&
        before.baseUrl !== settings.baseUrl;
      if (moved) keyring.addressChanged(before.baseUrl, settings.baseUrl);
      project.getState().setModel(settings);
      set({ ...fresh(settings), ...(moved ? { modelIds: undefined, listProblem: undefined } : {}) });
    },
    setKey(key) {
      const { model } = project.getState();
      if (model.kind !== "openai-compatible") return;
      try {
        keyring.set(model.baseUrl, key);
        set(fresh(model));
      } catch {
        set({
          steps: [
            {
              step: "Address",
              ok: false,
              detail: "The address is not one a key can be bound to.",
              fix: "Correct the address first.",
            },
          ],
        });
      }
    },
    async listModels() {
      const { model } = project.getState();
      if (model.kind !== "openai-compatible") return;
      try {
        const { listModels } = await import("../model");
        const modelIds = await listModels(model.baseUrl, { keyring });
        set({
          modelIds: modelIds ?? [],
          listProblem: modelIds === undefined ? "The server does not list its models: write the name." : undefined,
        });
      } catch (error) {
        set({ modelIds: undefined, listProblem: keyring.scrub(messageFromError(error)) });
      }
    },
    async test() {
      running?.abort();
      const abort = new AbortController();
      running = abort;
      set({ testing: true, steps: [], readiness: "untested" });
      const steps: ConnectionStep[] = [];
      const { testConnection } = await import("../model");
      for await (const step of testConnection(project.getState().model, { keyring }, abort.signal)) {
        if (abort.signal.aborted) return;
        steps.push(step);
        set({ steps: [...steps] });
      }
      if (!abort.signal.aborted) set({ testing: false, readiness: steps.at(-1)?.ok ? "ready" : "failed" });
    },
  }));
}
