import { useStore } from "zustand";
import type { ProjectHost } from "../../store";
import { Button } from "../widgets/Button";
import "./host.css";

/** How it is with the host, and what helps. */
export function HostStatusLine({ host }: { readonly host: ProjectHost }) {
  const { status, kind } = useStore(host.state);
  switch (status.state) {
    case "booting":
      return <output className="host-status small muted">{`Starting the host: ${status.phase}…`}</output>;
    case "ready":
      return <output className="host-status small ok">The host is ready.</output>;
    case "degraded":
      return (
        <output className="host-status small warn">
          {`● ${status.reason}`}
          <Button size="small" onClick={() => void host.restart()}>
            Restart the host
          </Button>
        </output>
      );
    case "failed":
      return (
        <div className="host-status small bad" role="alert">
          {`✕ ${status.message}`}
          <span className="host-buttons">
            {status.retry ? (
              <Button size="small" onClick={() => void host.restart()}>
                Try again
              </Button>
            ) : null}
            {status.code === "not-isolated" ? (
              <Button size="small" onClick={() => void host.isolate()}>
                Isolate the page
              </Button>
            ) : null}
            {kind === "webcontainer" ? (
              <Button size="small" onClick={() => void host.choose("embedded")}>
                Use the embedded host
              </Button>
            ) : null}
          </span>
        </div>
      );
    case "idle":
    case "disposed":
      break;
  }
  return <p className="host-status small dim">The host starts with the first command.</p>;
}
