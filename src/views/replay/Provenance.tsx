import { useStore } from "zustand";
import type { JsonObject } from "../../base";
import type { SessionEvent, SessionEventOf } from "../../session";
import { DEMO_MODEL_NAME } from "../../store";
import { useSessionLook, useSessionState } from "../session/useSessionState";
import { useWorkbench } from "../workbenchContext";
import { Swatch } from "../widgets/Swatch";
import { Fact, ImportFacts } from "./ImportFacts";
import { useReplayLook } from "./replayLookContext";

const ORIGINS = {
  live: "Recorded here",
  compare: "A run of a comparison, recorded here on a fork of the files",
  import: "Imported from a file: it is looked at and never runs",
  fork: "A fork of another session, on files of its own",
} as const;

const isSource = (event: SessionEvent): event is SessionEventOf<"import.source"> => event.type === "import.source";

/** Where the session comes from and what it ran with, as its log says. */
export function Provenance() {
  const { replay } = useWorkbench();
  const sessionId = useStore(replay, (state) => state.sessionId);
  const record = useSessionState((state) => state.sessions.find(({ id }) => id === sessionId));
  const started = useReplayLook((state) => state.head[0]);
  const head = useReplayLook((state) => state.head);
  const source = head.find(isSource);
  const assigned = useSessionLook((look) => look.session.assigned);
  const isStartKept = useStore(replay, (state) => state.isStartKept);
  const data = started?.type === "session.started" ? started.data : undefined;
  const ran = data?.playground;
  return (
    <dl className="provenance scroll">
      <Fact name="From">{record === undefined ? "unknown" : ORIGINS[record.origin]}</Fact>
      {source === undefined ? null : <ImportFacts source={source} />}
      {assigned ? <Fact name="Arm">{`${assigned.label} (${assigned.variant})`}</Fact> : null}
      <Fact name="Began">{started === undefined ? "unknown" : new Date(started.meta.at).toLocaleString()}</Fact>
      <Fact name="Session" mono>
        {ran?.sessionId ?? sessionId ?? "unknown"}
      </Fact>
      {data?.predecessor ? (
        <Fact name="Goes on from" mono>
          {data.predecessor.sessionId}
        </Fact>
      ) : null}
      <Fact name="Model">{source?.data.session.modelId ?? modelWords(ran?.model)}</Fact>
      <Fact name="Starting tree">
        {isStartKept && ran !== undefined ? (
          <span className="mono">{`tree ${ran.snapshot.slice(0, 12)}`}</span>
        ) : (
          <span className="warn">not kept: what the files were at the start is unknown</span>
        )}
      </Fact>
      <Fact name="Mounts">
        <Mounts />
      </Fact>
      <Fact name="Agent">
        {source === undefined ? (data?.runtime.agentName ?? data?.runtime.agentId ?? "unknown") : agentWords(source)}
      </Fact>
      <Fact name="Instructions">
        <Instructions text={source?.data.session.instructions ?? instructionsOf(ran?.definition)} />
      </Fact>
      <Fact name="Tools offered">{toolWords(source?.data.session.tools ?? ran?.tools)}</Fact>
      {ran?.dryRun ? <Fact name="Dry run">Writes were answered by a stand-in.</Fact> : null}
    </dl>
  );
}

function Mounts() {
  const mounts = useStore(useWorkbench().replay, (state) => state.mounts);
  if (mounts.length === 0) return "unknown";
  return (
    <ul>
      {mounts.map(({ prefix, color, readOnly }) => (
        <li key={prefix} className="provenance-mount">
          <Swatch color={color} />
          <span className="mono">{prefix}</span>
          {readOnly ? <span className="dim small">read-only</span> : null}
        </li>
      ))}
    </ul>
  );
}

function modelWords(model: JsonObject | undefined): string {
  if (model === undefined) return "unknown";
  if (model["kind"] === "demo") return DEMO_MODEL_NAME;
  const { modelId, baseUrl } = model;
  return [modelId, baseUrl].filter((word) => typeof word === "string").join(" at ") || "unknown";
}

function instructionsOf(definition: JsonObject | undefined): string | undefined {
  const instructions = definition?.["instructions"];
  return typeof instructions === "string" ? instructions : undefined;
}

function Instructions({ text }: { readonly text: string | undefined }) {
  return text === undefined ? "unknown" : <pre className="provenance-text mono">{text}</pre>;
}

function agentWords({ data }: SessionEventOf<"import.source">): string {
  const { agentName, agentVersion } = data.session;
  return [agentName, agentVersion].filter(Boolean).join(" ") || "unknown";
}

function toolWords(tools: readonly { readonly name: string }[] | undefined): string {
  return tools === undefined ? "unknown" : tools.map(({ name }) => name).join(", ");
}
