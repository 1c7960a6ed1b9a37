import { lazy, Suspense, useRef, useState } from "react";
import { Button } from "../widgets/Button";
import { sourceFromFolder } from "./sessionSource";
import { useImportSessions } from "./useImportSessions";

const SessionAddressDialog = lazy(() =>
  import("./SessionAddressDialog").then((module) => ({ default: module.SessionAddressDialog })),
);

export interface ImportFootProps {
  /** Told of the session to be shown of what was read from a file. */
  readonly onImported?: ((sessionId: string) => void) | undefined;
}

/** The ways in for sessions from elsewhere. */
export function ImportFoot({ onImported }: ImportFootProps) {
  const take = useImportSessions(onImported);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState(false);
  return (
    <div className="session-list-foot">
      <Button size="small" onClick={() => files.current?.click()}>
        Import a session…
      </Button>
      <Button size="small" onClick={() => folder.current?.click()}>
        A folder…
      </Button>
      <Button size="small" onClick={() => setAsking(true)}>
        From an address…
      </Button>
      {asking ? (
        <Suspense fallback={null}>
          <SessionAddressDialog onImported={onImported} onClose={() => setAsking(false)} />
        </Suspense>
      ) : null}
      <span className="small dim" style={{ alignSelf: "center" }}>
        or drop or paste one: of Rootscope, Claude Code, Codex and other agents; it opens in Replay
      </span>
      <input
        ref={files}
        type="file"
        hidden
        multiple
        onChange={(event) => {
          for (const file of event.target.files ?? [])
            void take({ name: file.name, files: [{ path: file.name, blob: file }] });
          event.target.value = "";
        }}
      />
      <input
        ref={folder}
        type="file"
        hidden
        {...{ webkitdirectory: "" }}
        onChange={(event) => {
          const source = sourceFromFolder([...(event.target.files ?? [])]);
          if (source !== undefined) void take(source);
          event.target.value = "";
        }}
      />
    </div>
  );
}
