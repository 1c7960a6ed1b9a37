import { Ellipsis } from "lucide-react";
import { limits } from "../../base";
import type { ConnectionView } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { countText } from "../widgets/byteText";
import { IconButton } from "../widgets/IconButton";
import { Menu, MenuItem, MenuSeparator } from "../widgets/Menu";

export interface ConnectionRowProps {
  readonly connection: ConnectionView;
  readonly edit: () => void;
  readonly giveToken: () => void;
}

interface StatusLook {
  readonly sign: string;
  readonly tone: string;
  readonly words: string;
}

const LOOKS: { readonly [Status in ConnectionView["status"]]: StatusLook } = {
  off: { sign: "○", tone: "dim", words: "off" },
  connecting: { sign: "●", tone: "dim", words: "connecting…" },
  ready: { sign: "✓", tone: "ok", words: "ready" },
  "needs-sign-in": { sign: "●", tone: "warn", words: "asks you to sign in" },
  "signing-in": { sign: "●", tone: "warn", words: "signing in…" },
  failed: { sign: "✕", tone: "bad", words: "failed" },
};

/** A server: where it stands, and the button that goes on from there. */
export function ConnectionRow({ connection, edit, giveToken }: ConnectionRowProps) {
  const { name, url, status, tools, server } = connection;
  const { sign, tone, words } = LOOKS[status];
  return (
    <li className="connection">
      <div className="connection-line">
        <span className={`call-sign ${tone}`} aria-hidden="true">
          {sign}
        </span>
        <span className="tool-name truncate">{name}</span>
        <span className="dim small truncate" title={server}>
          {status === "ready" ? countText(tools.length, "tool") : words}
        </span>
        <span className="mono dim truncate connection-address" title={url}>
          {url}
        </span>
        <ConnectionMenu connection={connection} edit={edit} giveToken={giveToken} />
      </div>
      <StatusNote connection={connection} edit={edit} giveToken={giveToken} />
    </li>
  );
}

function StatusNote({ connection, edit, giveToken }: ConnectionRowProps) {
  const { connections } = useWorkbench();
  const { id, name, status, message } = connection;
  const actions = connections.getState();
  switch (status) {
    case "needs-sign-in":
      return (
        <Note tone="warn" words={message ?? "It asks who is there."}>
          <Button size="small" aria-label={`Sign in to ${name}`} onClick={() => void actions.signIn(id)}>
            Sign in
          </Button>
          <Button size="small" aria-label={`Give a token for ${name}`} onClick={giveToken}>
            Give token…
          </Button>
        </Note>
      );
    case "signing-in":
      return (
        <Note tone="warn" words={`Sign in in the window that opened. It waits ${limits.signInMs / 60_000} minutes.`}>
          <Button size="small" aria-label={`Stop signing in to ${name}`} onClick={() => actions.stopSignIn(id)}>
            Stop
          </Button>
        </Note>
      );
    case "failed":
      return (
        <Note tone="bad" words={message ?? "It does not answer."}>
          <Button size="small" aria-label={`Try again: ${name}`} onClick={() => void actions.connect(id)}>
            Try again
          </Button>
          <Button size="small" aria-label={`Edit ${name}`} onClick={edit}>
            Edit…
          </Button>
        </Note>
      );
    default:
      return null;
  }
}

interface NoteProps {
  readonly tone: "warn" | "bad";
  readonly words: string;
  readonly children: React.ReactNode;
}

function Note({ tone, words, children }: NoteProps) {
  return (
    <div className="connection-note">
      <output className={`small ${tone}`}>{words}</output>
      <span className="connection-buttons">{children}</span>
    </div>
  );
}

function ConnectionMenu({ connection, edit, giveToken }: ConnectionRowProps) {
  const { connections, notices } = useWorkbench();
  const { id, name, url, clientId, enabled, status, hasToken } = connection;
  const actions = connections.getState();
  const remove = () => {
    actions.removeConnection(id);
    const choice = { name, url, ...(clientId === undefined ? {} : { clientId }) };
    notices.getState().push({
      tone: "info",
      text: `Removed the connection ${name}; its keys are forgotten.`,
      timeoutMs: limits.undoMs,
      action: { label: "Undo", run: () => void actions.addConnection(choice) },
    });
  };
  return (
    <Menu
      align="end"
      trigger={<IconButton label={`More for ${name}`} icon={<Ellipsis size={15} aria-hidden="true" />} />}
    >
      <MenuItem onSelect={edit}>Edit…</MenuItem>
      <MenuItem onSelect={() => actions.setEnabled(id, !enabled)}>{enabled ? "Switch off" : "Switch on"}</MenuItem>
      {enabled ? (
        <>
          <MenuItem disabled={status === "connecting"} onSelect={() => void actions.connect(id)}>
            Connect again
          </MenuItem>
          <MenuItem onSelect={giveToken}>{hasToken ? "Give another token…" : "Give token…"}</MenuItem>
          {hasToken ? <MenuItem onSelect={() => void actions.signOut(id)}>Forget its token</MenuItem> : null}
        </>
      ) : null}
      <MenuSeparator />
      <MenuItem danger onSelect={remove}>
        Remove
      </MenuItem>
    </Menu>
  );
}
