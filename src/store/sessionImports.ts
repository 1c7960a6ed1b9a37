import type { ImportOffer, SessionImport, SessionSource } from "./sessionImport";
import type { SessionRecords } from "./sessionRecords";
import type { WorkbenchCore } from "./workbenchCore";

/** Imports that go on, beside whatever else a person does. */
export interface SessionImports {
  /** Answers the id of the first session of the file; nothing when there is none or it was stopped. Never throws. */
  readonly start: (source: SessionSource, offer?: ImportOffer) => Promise<string | undefined>;
  /** What was stored of it is taken back. */
  readonly cancel: (importId: string) => void;
  /** Stops all; resolves when nothing is written any more. */
  readonly dispose: () => Promise<void>;
}

export function sessionImports(
  core: WorkbenchCore,
  records: SessionRecords,
  show: (change: (imports: readonly SessionImport[]) => readonly SessionImport[]) => void,
): SessionImports {
  const going = new Map<string, { readonly stop: AbortController; readonly done: Promise<unknown> }>();
  let counter = 0;
  const run = async (id: string, source: SessionSource, { signal }: AbortController, offer?: ImportOffer) => {
    const { importedSessions } = await import("./importSessions");
    const hidden: string[] = [];
    try {
      return await importedSessions(core, source, {
        signal,
        offer,
        progress: (progress) =>
          show((imports) => imports.map((each) => (each.id === id ? { ...each, ...progress } : each))),
        begun(sessionId) {
          hidden.push(sessionId);
          records.hide(sessionId);
        },
      });
    } finally {
      records.unhide(hidden);
      show((imports) => imports.filter((each) => each.id !== id));
      going.delete(id);
      await records.refresh();
    }
  };
  return {
    start(source, offer) {
      const id = `import_${++counter}`;
      const stop = new AbortController();
      const { name, files } = source;
      const totalBytes = files.reduce((sum, { blob }) => sum + blob.size, 0);
      show((imports) => [
        ...imports,
        { id, name, bytes: 0, totalBytes, events: 0, storedEvents: undefined, isStopping: false },
      ]);
      const done = run(id, source, stop, offer);
      going.set(id, { stop, done });
      return done;
    },
    cancel(importId) {
      show((imports) => imports.map((each) => (each.id === importId ? { ...each, isStopping: true } : each)));
      going.get(importId)?.stop.abort(new Error("The import was stopped."));
    },
    async dispose() {
      const all = [...going.values()];
      for (const { stop } of all) stop.abort(new Error("The project was closed."));
      await Promise.all(all.map(({ done }) => done));
    },
  };
}
