import { limits } from "../../base";
import type { Served } from "../../session";
import { Swatch } from "../widgets/Swatch";
import { CallSection } from "./CallSection";
import { useSessionMounts } from "./useSessionState";

/** Which mounts, and which of their layers, answered a call. */
export function ServedBy({ served }: { readonly served: readonly Served[] }) {
  const table = useSessionMounts();
  return (
    <CallSection title="Served by">
      <ul className="served-list">
        {served.slice(0, limits.outputPreviewLines).map((one, index) => (
          // A call may be served twice in the same way; nothing but the place tells those apart.
          <li key={index}>
            <Swatch color={table.find((mount) => mount.prefix === one.mount)?.color ?? 8} />
            <span className="mono">{one.mount}</span>
            {one.layer === undefined ? null : (
              <>
                <span className="muted">from</span>
                <span className="mono">{one.layer}</span>
              </>
            )}
            <span className="muted">{one.verb}</span>
            <span className="mono truncate dim">{one.path}</span>
          </li>
        ))}
      </ul>
    </CallSection>
  );
}
