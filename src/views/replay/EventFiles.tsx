import { useStore } from "zustand";
import type { FileChange, SessionEvent } from "../../session";
import { mountAt, recordedChanges } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Swatch } from "../widgets/Swatch";
import { useReplayLookStore } from "./replayLookContext";

/** Lines shown of each; a call that went through a whole tree served thousands. */
const SHOWN_LINES = 50;

/** Which layer served each read of the event at hand, and what each of its writes changed; a path leads to the file. */
export function EventFiles({ event }: { readonly event: SessionEvent }) {
  const served = event.type === "action.result" ? (event.data.served ?? []) : [];
  const changes = recordedChanges(event);
  if (served.length === 0 && changes.length === 0) return null;
  return (
    <div className="event-files">
      <List title="Changed" count={changes.length}>
        {changes.slice(0, SHOWN_LINES).map((change) => (
          <li key={change.path}>
            <span className={`${changeWord(change).tone} event-verb`}>{changeWord(change).word}</span>
            <FileLink path={change.path} />
          </li>
        ))}
      </List>
      <List title="Served by" count={served.length}>
        {served.slice(0, SHOWN_LINES).map(({ mount, layer, verb, path }, at) => (
          // A call may be served twice in the same way; nothing but the place tells those apart.
          <li key={at}>
            <span className="muted event-verb">{verb}</span>
            <FileLink path={path} />
            <span className="dim">
              by <span className="mono">{mount}</span>
              {layer === undefined ? null : (
                <>
                  {" "}
                  from layer <span className="mono">{layer}</span>
                </>
              )}
            </span>
          </li>
        ))}
      </List>
    </div>
  );
}

interface ListProps {
  readonly title: string;
  readonly count: number;
  readonly children: React.ReactNode;
}

function List({ title, count, children }: ListProps) {
  if (count === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="small dim">{count > SHOWN_LINES ? `${title}, the first ${SHOWN_LINES} of ${count}` : title}</h3>
      <ul className="small">{children}</ul>
    </section>
  );
}

function FileLink({ path }: { readonly path: string }) {
  const { replay } = useWorkbench();
  const look = useReplayLookStore();
  const color = useStore(replay, (state) => mountAt(state.mounts, path)?.color ?? 8);
  return (
    <>
      <Swatch color={color} />
      <button
        type="button"
        className="link-button mono truncate"
        onClick={() => {
          replay.getState().select(path);
          look.getState().setMiddle("file");
        }}
      >
        {path}
      </button>
    </>
  );
}

function changeWord({ before, after }: FileChange) {
  if (before === undefined) return { word: "added", tone: "ok" } as const;
  return after === undefined
    ? ({ word: "deleted", tone: "bad" } as const)
    : ({ word: "modified", tone: "warn" } as const);
}
