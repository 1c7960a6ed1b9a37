import { useEffect, useState } from "react";
import type { SessionState } from "../../session";
import { Menu, MenuChoice } from "../widgets/Menu";
import { durationText } from "./durationText";
import { useSessionState } from "./useSessionState";

/** What the session has done so far, in one line, and whether writes ask. */
export function SummaryLine() {
  const counts = useSessionState((state) => state.session.counts);
  const usage = useSessionState((state) => tokenWords(state.session));
  const cost = useSessionState((state) => state.session.usage.costUsd);
  return (
    <div className="session-summary">
      <span>
        {`${counts.calls} ${counts.calls === 1 ? "call" : "calls"}`}
        {counts.ok > 0 ? <span className="ok">{` ${counts.ok} ok`}</span> : null}
        {counts.stubbed > 0 ? (
          <span title="Dry run: these calls were not carried out.">{` ${counts.stubbed} not done`}</span>
        ) : null}
        {counts.failed > 0 ? <span className="bad">{` ${counts.failed} failed`}</span> : null}
        {counts.rejected > 0 ? <span className="bad">{` ${counts.rejected} not run`}</span> : null}
      </span>
      <span className="truncate" style={{ flex: "0 1 auto" }}>
        {usage}
      </span>
      {cost === undefined ? null : <span>{`$${cost.toFixed(4)}`}</span>}
      <RunTime />
      <span className="push-right">
        <ApprovalMenu />
      </span>
    </div>
  );
}

function tokenWords(session: SessionState): string {
  const { inputTokens, outputTokens } = session.usage;
  if (session.steps.length === 0) return "no tokens yet";
  if (inputTokens === undefined && outputTokens === undefined) return "tokens unknown";
  const words = (tokens: number | undefined) => (tokens === undefined ? "unknown" : tokens.toLocaleString("en"));
  return `tokens ${words(inputTokens)} in, ${words(outputTokens)} out`;
}

/** Milliseconds between two looks at the clock: tenths of a second are shown. */
const TICK_MS = 100;

/** Time in which turns ran; it goes on between two events of a long step. */
function RunTime() {
  const recordedMs = useSessionState((state) => state.session.wallTimeMs);
  const eventCount = useSessionState((state) => state.session.eventCount);
  const running = useSessionState((state) => state.session.status === "running" && state.runner === "this-tab");
  return <span>{running ? <RunningTime key={eventCount} recordedMs={recordedMs} /> : durationText(recordedMs)}</span>;
}

/** Counts on from the last event; made anew with each. */
function RunningTime({ recordedMs }: { readonly recordedMs: number }) {
  const [extraMs, setExtraMs] = useState(0);
  useEffect(() => {
    const since = performance.now();
    const timer = setInterval(() => setExtraMs(performance.now() - since), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return durationText(recordedMs + extraMs);
}

function ApprovalMenu() {
  const asks = useSessionState((state) => state.asksBeforeWrites);
  const allowed = useSessionState((state) => state.alwaysAllowed);
  const setAsks = useSessionState((state) => state.setAsksBeforeWrites);
  const words = !asks
    ? "writes run at once"
    : allowed.size === 0
      ? "every write asks"
      : `writes ask, not ${[...allowed].join(", ")}`;
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="plain-trigger">
          {words} <span aria-hidden="true">▾</span>
        </button>
      }
    >
      <MenuChoice
        value={asks ? "asks" : "runs"}
        choices={[
          { value: "asks", label: "Every write asks", detail: "approve, edit or deny" },
          { value: "runs", label: "Writes run at once", detail: "no questions" },
        ]}
        onChange={(value) => setAsks(value === "asks")}
      />
    </Menu>
  );
}
