import { useState, type ReactNode } from "react";
import { limits, type JsonValue } from "../../base";
import type { CallItem } from "../../session";
import { DiffLines } from "../widgets/DiffLines";
import { Swatch } from "../widgets/Swatch";
import { CopyButton } from "./CopyButton";
import { focusOnMount } from "./focusOnMount";
import { LongText } from "./LongText";
import { useLoaded } from "./useLoaded";
import { useSessionLook, useSessionMounts } from "./useSessionState";

/** An opened call: what it was told, what came of it, what it changed, who served it, and the event itself. */
export function CallDetails({ item }: { readonly item: CallItem }) {
  const showRequest = useSessionLook((state) => state.showRequest);
  return (
    <div className="call-details">
      {item.changes.length > 0 ? <Changes item={item} /> : null}
      <Section
        title="Arguments"
        buttons={<CopyButton what="the arguments" text={() => JSON.stringify(item.input ?? {}, undefined, 2)} />}
      >
        <Arguments item={item} />
      </Section>
      <Output item={item} />
      {item.served.length > 0 ? <ServedBy item={item} /> : null}
      <RawEvents item={item} />
      <div className="call-section">
        <button type="button" className="link-button muted small" onClick={() => showRequest(item.stepId)}>
          what the model saw before this call ›
        </button>
      </div>
    </div>
  );
}

interface SectionProps {
  readonly title: ReactNode;
  readonly buttons?: ReactNode;
  readonly children: ReactNode;
}

function Section({ title, buttons, children }: SectionProps) {
  return (
    <div className="call-section">
      <div className="call-section-head">
        <span className="truncate">{title}</span>
        {buttons ? <span className="push-right">{buttons}</span> : null}
      </div>
      {children}
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
  if (hasOutput && loaded.state === "loading") return <Section title="Output">…</Section>;
  const text = hasOutput && loaded.state === "loaded" ? loaded.value : undefined;
  if (text === undefined) {
    const waiting = item.state === "rejected" ? "The call did not run." : "No output yet.";
    return (
      <Section title="Output">
        <p className="dim small">{waiting}</p>
      </Section>
    );
  }
  const title =
    item.error === undefined
      ? item.stub
        ? "Output, a dry run's stand-in, as the model reads it"
        : "Output, as the model reads it"
      : `Error · ${item.error.code}`;
  return (
    <Section title={title} buttons={<CopyButton what="the output" text={() => text} />}>
      <LongText text={text} />
    </Section>
  );
}

function Changes({ item }: { readonly item: CallItem }) {
  const callDifferences = useSessionLook((state) => state.callDifferences);
  const loaded = useLoaded(`${item.id}/${item.changes.length}`, () => callDifferences(item.id));
  if (loaded.state === "loading")
    return <Section title="Changed">{item.changes.map((change) => change.path).join(", ")}</Section>;
  if (loaded.state === "failed") return <Section title="Changed">{loaded.message}</Section>;
  return loaded.value.map((difference) => (
    <Section
      key={difference.path}
      title={
        <>
          {difference.kind} <span className="mono">{difference.path}</span>{" "}
          {difference.reason === undefined ? (
            <>
              <span className="lines-added">{`+${difference.linesAdded}`}</span>{" "}
              <span className="lines-removed">{`−${difference.linesRemoved}`}</span>
            </>
          ) : null}
        </>
      }
    >
      {difference.reason === undefined ? (
        <div className="difference">
          <DiffLines lines={difference.lines} context={3} />
        </div>
      ) : (
        <p className="dim small">{difference.reason}</p>
      )}
    </Section>
  ));
}

function ServedBy({ item }: { readonly item: CallItem }) {
  const table = useSessionMounts();
  return (
    <Section title="Served by">
      <ul className="served-list">
        {item.served.slice(0, limits.outputPreviewLines).map((served, index) => (
          // A call may be served twice in the same way; nothing but the place tells those apart.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <Swatch color={table.find((mount) => mount.prefix === served.mount)?.color ?? 8} />
            <span className="mono">{served.mount}</span>
            {served.layer === undefined ? null : (
              <>
                <span className="muted">from</span>
                <span className="mono">{served.layer}</span>
              </>
            )}
            <span className="muted">{served.verb}</span>
            <span className="mono truncate dim">{served.path}</span>
          </li>
        ))}
      </ul>
    </Section>
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
      <Section title={`Raw event ${item.lastEvent + 1}`} buttons={<CopyButton what="the event" text={() => text} />}>
        <LongText text={text} />
      </Section>
    </div>
  );
}
