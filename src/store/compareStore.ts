import { createStore } from "zustand/vanilla";
import type { CompareDriver } from "./compareDriver";
import type { CompareState, CompareStore } from "./compareState";
import { createSessionLook } from "./createSessionLook";
import type { WorkbenchCore } from "./workbenchCore";

/** The last comparison of a project. What carries it out is loaded when somebody looks at it. */
export function createCompareStore(core: WorkbenchCore): CompareStore {
  const { storage, project, notices } = core;
  const looks = { a: createSessionLook(storage.blobs), b: createSessionLook(storage.blobs) };
  return createStore<CompareState>()((set, get) => {
    let loading: Promise<CompareDriver> | undefined;
    const driver = () =>
      (loading ??= import("./compareDriver").then(
        ({ CompareDriver: Driver }) => new Driver({ core, looks, get, set }),
      ));
    return {
      status: "idle",
      record: undefined,
      pairs: [],
      shownPair: 0,
      looks: { a: looks.a.store, b: looks.b.store },
      instructions: undefined,
      lines: [],
      files: undefined,
      filesProblem: undefined,
      open: async () => (await driver()).open(),
      run: async () => (await driver()).run(),
      runRest: async () => (await driver()).runRest(),
      stop: () => void driver().then((loaded) => loaded.stop()),
      showPair: (index) => void driver().then((loaded) => loaded.showPair(index)),
      fileDifference: async (path, sides) => (await driver()).fileDifference(path, sides),
      takeInstructions(side, text) {
        const { agent, compare, changeAgent } = project.getState();
        const variants = text === "ran" ? get().record?.plan.variants : compare.variants;
        const variant = variants?.[side === "a" ? 0 : 1];
        if (variant === undefined) return;
        const before = agent.instructions;
        changeAgent({ instructions: variant.instructions });
        notices.getState().push({
          tone: "good",
          text: `The agent now has the instructions of ${side.toUpperCase()}, “${variant.label}”.`,
          timeoutMs: 8_000,
          action: { label: "Undo", run: () => project.getState().changeAgent({ instructions: before }) },
        });
      },
      dispose: () => void loading?.then((loaded) => loaded.dispose()),
    };
  });
}
