import { useState } from "react";
import type { JsonValue } from "../../base";
import type { CallItem } from "../../session";
import { CallSection } from "./CallSection";
import { CopyButton } from "./CopyButton";
import { DifferenceSections } from "./DifferenceSections";
import { focusOnMount } from "./focusOnMount";
import { LongText } from "./LongText";
import { ServedBy } from "./ServedBy";
import { SessionImages } from "./SessionImages";
import { useLoaded } from "./useLoaded";
import { useSessionLook } from "./useSessionState";

/** An opened call: what it was told, what came of it, what it changed, who served it, and the event itself. */
export function CallDetails({ item }: { readonly item: CallItem }) {
  const showRequest = useSessionLook((state) => state.showRequest);
  return (
    <div className="call-details">
      {item.changes.length > 0 ? <Changes item={item} /> : null}
      <CallSection
        title="Arguments"
        buttons={<CopyButton what="the arguments" text={() => JSON.stringify(item.input ?? {}, undefined, 2)} />}
      >
        <Arguments item={item} />
      </CallSection>
      <Output item={item} />
      <SessionImages of={item.output} />
      {item.served.length > 0 ? <ServedBy served={item.served} /> : null}
      <RawEvents item={item} />
      <div className="call-section">
        <button type="button" className="link-button muted small" onClick={() => showRequest(item.stepId)}>
          what the model saw before this call ›
        </button>
      </div>
    </div>
  );
}

function Arguments({ item }: { readonly item: CallItem }) {
  if (item.input === undefined) return <pre className="call-text wrap">{item.inputText || "…"}</pre>;
  const entries = Object.entries(item.input);
  if (entries.length === 0) return <p className="dim small">none</p>;
  return (
    <dl className="call-arguments">
      {entries.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{argumentText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function argumentText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function Output({ item }: { readonly item: CallItem }) {
  const callOutputText = useSessionLook((state) => state.callOutputText);
  const hasOutput = item.output !== undefined || item.error !== undefined;
  const loaded = useLoaded(`${item.id}/${item.lastEvent}`, () => callOutputText(item.id));
  if (hasOutput && loaded.state === "loading") return <CallSection title="Output">…</CallSection>;
  const text = hasOutput && loaded.state === "loaded" ? loaded.value : undefined;
  if (text === undefined) {
    const waiting = item.state === "rejected" ? "The call did not run." : "No output yet.";
    return (
      <CallSection title="Output">
        <p className="dim small">{waiting}</p>
      </CallSection>
    );
  }
  const title =
    item.error === undefined
      ? item.stub
        ? "Output, a dry run's stand-in, as the model reads it"
        : "Output, as the model reads it"
      : `Error · ${item.error.code}`;
  return (
    <CallSection title={title} buttons={<CopyButton what="the output" text={() => text} />}>
      <LongText text={text} />
    </CallSection>
  );
}

function Changes({ item }: { readonly item: CallItem }) {
  const callDifferences = useSessionLook((state) => state.callDifferences);
  const loaded = useLoaded(`${item.id}/${item.changes.length}`, () => callDifferences(item.id));
  if (loaded.state === "loading")
    return <CallSection title="Changed">{item.changes.map((change) => change.path).join(", ")}</CallSection>;
  if (loaded.state === "failed") return <CallSection title="Changed">{loaded.message}</CallSection>;
  const more = item.changes.length - loaded.value.length;
  return (
    <>
      <DifferenceSections differences={loaded.value} />
      {more > 0 ? <CallSection title={`and ${more.toLocaleString("en")} more files`}>{null}</CallSection> : null}
    </>
  );
}

function RawEvents({ item }: { readonly item: CallItem }) {
  const [shown, setShown] = useState(false);
  const events = useSessionLook((state) => state.events);
  if (!shown) {
    return (
      <div className="call-section">
        <button type="button" className="link-button muted small" aria-expanded={false} onClick={() => setShown(true)}>
          raw event ›
        </button>
      </div>
    );
  }
  const text = JSON.stringify(events()[item.lastEvent] ?? null, undefined, 2);
  return (
    <div tabIndex={-1} ref={focusOnMount}>
      <CallSection
        title={`Raw event ${item.lastEvent + 1}`}
        buttons={<CopyButton what="the event" text={() => text} />}
      >
        <LongText text={text} />
      </CallSection>
    </div>
  );
}
