import { useStore } from "zustand";
import type { ProjectHost } from "../../store";
import { Button } from "../widgets/Button";
import { useProjectHost } from "./useProjectHost";

/** How it is with the project's host, in the status bar; nothing while nobody has asked for it. */
export function HostWords() {
  const host = useProjectHost();
  return host ? <Words host={host} /> : null;
}

const KINDS = { embedded: "Simulated bash", webcontainer: "WebContainer" } as const;

function Words({ host }: { readonly host: ProjectHost }) {
  const { status, kind } = useStore(host.state);
  switch (status.state) {
    case "booting":
      return <span title={status.phase}>{`${KINDS[kind]} starts…`}</span>;
    case "ready":
      return <span>{`${KINDS[kind]} ready`}</span>;
    case "degraded":
      return (
        <span className="warn" title={status.reason}>
          {`● ${KINDS[kind]} not as it should be `}
          <Button size="small" variant="quiet" onClick={() => void host.restart()}>
            Restart
          </Button>
        </span>
      );
    case "failed":
      return (
        <span className="bad" title={status.message}>
          {`✕ ${KINDS[kind]} failed `}
          {status.retry ? (
            <Button size="small" variant="quiet" onClick={() => void host.restart()}>
              Try again
            </Button>
          ) : null}
        </span>
      );
    case "idle":
    case "disposed":
      break;
  }
  return null;
}
