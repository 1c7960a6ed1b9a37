import { ExternalLink, RotateCw } from "lucide-react";
import { useState } from "react";
import type { HostPreview } from "../../host";
import { IconButton } from "../widgets/IconButton";

/** What a server of the host answers on a port. */
export function PreviewView({ previews }: { readonly previews: readonly HostPreview[] }) {
  const [port, setPort] = useState<number>();
  const [loads, setLoads] = useState(0);
  const shown = previews.find((preview) => preview.port === port) ?? previews[0];
  if (shown === undefined) return null;
  return (
    <div className="preview">
      <div className="preview-bar">
        <label className="small muted">
          Port{" "}
          <select className="select" value={shown.port} onChange={(event) => setPort(Number(event.target.value))}>
            {previews.map((preview) => (
              <option key={preview.port} value={preview.port}>
                {preview.port}
              </option>
            ))}
          </select>
        </label>
        <span className="mono small dim truncate">{shown.url}</span>
        <span className="push-right" />
        <IconButton
          label="Load the preview again"
          icon={<RotateCw size={13} aria-hidden="true" />}
          onClick={() => setLoads(loads + 1)}
        />
        <IconButton
          label="Open the preview in a tab of its own"
          icon={<ExternalLink size={13} aria-hidden="true" />}
          onClick={() => window.open(shown.url, "_blank", "noopener")}
        />
      </div>
      <iframe
        key={`${shown.url} ${loads}`}
        className="preview-frame"
        title={`Port ${shown.port} of the host`}
        src={shown.url}
        // oxlint-disable-next-line react/iframe-missing-sandbox -- of an origin of its own, which its worker must keep
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
        allow="cross-origin-isolated"
      />
    </div>
  );
}
