import { Eraser, Square, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { ProjectHost, TerminalStore } from "../../store";
import { HostStatusLine } from "../host/HostStatusLine";
import { useShell } from "../shell/shellContext";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { EmptyState } from "../widgets/EmptyState";
import { IconButton } from "../widgets/IconButton";
import { PanelHeader } from "../widgets/PanelHeader";
import { SegmentedControl } from "../widgets/SegmentedControl";
import { CommandLine } from "./CommandLine";
import { PreviewView } from "./PreviewView";
import { TerminalEdge, usePanelHeight } from "./TerminalEdge";
import { TerminalLog } from "./TerminalLog";
import "./terminal.css";

interface Opened {
  readonly host: ProjectHost;
  readonly terminal: TerminalStore;
}

/** The person's commands on the project's host, and the servers they start: the lower part of the centre column. */
export function TerminalPanel() {
  const workbench = useWorkbench();
  const [opened, setOpened] = useState<Opened>();
  const height = usePanelHeight();
  useEffect(() => {
    let current = true;
    void Promise.all([workbench.host(), workbench.terminal()]).then(
      ([host, terminal]) => current && setOpened({ host, terminal }),
    );
    return () => {
      current = false;
    };
  }, [workbench]);
  return (
    <section className="terminal" aria-label="Terminal" style={{ height: height.px }} data-takes-enter>
      <TerminalEdge height={height} />
      {opened ? <OpenedPanel {...opened} /> : <PanelHeader title="Terminal" />}
    </section>
  );
}

const KIND_WORDS = { embedded: "simulated bash", webcontainer: "WebContainer" } as const;

function OpenedPanel({ host, terminal }: Opened) {
  const { mounts } = useWorkbench();
  const shell = useShell();
  const { kind, previews, status } = useStore(host.state);
  const isRunning = useStore(terminal, (state) => state.isRunning);
  const hasBlocks = useStore(terminal, (state) => state.blocks.length > 0);
  const hasDisk = useStore(mounts, (state) => state.mounts.some((mount) => mount.kind === "host"));
  const [view, setView] = useState<"terminal" | "preview">("terminal");
  const showsPreview = view === "preview" && previews.length > 0;
  const { stop, clear } = terminal.getState();
  return (
    <>
      <PanelHeader title="Terminal" detail={KIND_WORDS[kind]}>
        {previews.length > 0 ? (
          <SegmentedControl
            label="Terminal or preview"
            size="small"
            segments={[
              { value: "terminal", label: "Commands" },
              { value: "preview", label: "Preview" },
            ]}
            value={view}
            onChange={setView}
          />
        ) : null}
        {isRunning ? (
          <IconButton
            label="Stop the command"
            keys="ctrl+C"
            icon={<Square size={13} aria-hidden="true" />}
            onClick={stop}
          />
        ) : null}
        <IconButton
          label="Clear the terminal"
          keys="ctrl+L"
          icon={<Eraser size={14} aria-hidden="true" />}
          disabled={!hasBlocks}
          onClick={clear}
        />
        <IconButton
          label="Close the terminal"
          keys="alt+T"
          icon={<X size={14} aria-hidden="true" />}
          onClick={() => shell.setTerminal(false)}
        />
      </PanelHeader>
      {status.state === "failed" || status.state === "degraded" || status.state === "booting" ? (
        <div className="terminal-status">
          <HostStatusLine host={host} />
        </div>
      ) : null}
      {showsPreview ? (
        <PreviewView previews={previews} />
      ) : hasDisk ? (
        <>
          <TerminalLog terminal={terminal} />
          <CommandLine terminal={terminal} />
        </>
      ) : (
        <EmptyState
          text="Commands run on the host's disk, which this project has not got yet."
          action={<Button onClick={() => void host.ensureDisk()}>Add a host disk</Button>}
        />
      )}
    </>
  );
}
