import { memo, useRef, useState } from "react";
import type { AssistantItem, NoticeItem, ReasoningItem, UserItem } from "../../session";
import type { RowFocus } from "./RowList";
import { focusOnMount } from "./focusOnMount";
import { MarkdownText } from "./MarkdownText";
import { SessionImages } from "./SessionImages";
import { useForeignLook } from "./sessionLookContext";
import { useSessionLook, useSessionState } from "./useSessionState";

interface RowProps<Item> {
  readonly item: Item;
  readonly focus: RowFocus;
}

export const UserRow = memo(function UserRow({ item, focus }: RowProps<UserItem>) {
  const status = useSessionLook((state) => state.session.turns.findLast((turn) => turn.id === item.turnId)?.status);
  const onlyLooks = useForeignLook() !== undefined;
  const [editing, setEditing] = useState(false);
  const row = useRef<HTMLElement>(null);
  const close = () => {
    // What had the focus goes with the form.
    row.current?.focus();
    setEditing(false);
  };
  return (
    <article ref={row} className="chat-message" {...focus} aria-label="You said">
      <div className="chat-who">
        You
        {onlyLooks || status === "running" || status === "waiting" || editing ? null : (
          <span className="on-hover">
            <span aria-hidden="true">· </span>
            <button type="button" className="link-button" onClick={() => setEditing(true)}>
              send again ›
            </button>
          </span>
        )}
      </div>
      {editing ? <SendAgain item={item} onClose={close} /> : <div className="chat-text">{item.text}</div>}
      {item.parts === undefined ? null : <SessionImages of={item.parts} />}
    </article>
  );
});

/** The message, to be changed or not, and sent as a session of its own: this one stays as it is. */
function SendAgain({ item, onClose }: { readonly item: UserItem; readonly onClose: () => void }) {
  const sendAgain = useSessionState((state) => state.sendAgain);
  const [text, setText] = useState(item.text);
  const send = () => {
    onClose();
    void sendAgain(item.turnId, text);
  };
  return (
    <div className="message-box" data-takes-enter style={{ margin: "4px 0 0" }}>
      <textarea
        aria-label="Message to send again"
        value={text}
        ref={focusOnMount}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            onClose();
          }
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && text.trim() !== "") {
            event.preventDefault();
            event.stopPropagation();
            send();
          }
        }}
      />
      <div className="message-tools">
        <span className="small dim">Runs as a new session; this one stays.</span>
        <button type="button" className="button button-plain button-small push-right" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button button-primary button-small"
          disabled={text.trim() === ""}
          onClick={send}
        >
          Send again
        </button>
      </div>
    </div>
  );
}

export const AssistantRow = memo(function AssistantRow({ item, focus }: RowProps<AssistantItem>) {
  return (
    <article className="chat-message" {...focus} aria-label="The agent said">
      <AgentLine stepId={item.stepId} />
      {item.done ? <MarkdownText text={item.text} /> : <div className="chat-text chat-caret">{item.text}</div>}
    </article>
  );
});

/** Who speaks, and the door to what they were told. */
function AgentLine({ stepId }: { readonly stepId: string }) {
  const showRequest = useSessionLook((state) => state.showRequest);
  return (
    <div className="chat-who">
      Agent <span aria-hidden="true">·</span>
      <button type="button" className="link-button" onClick={() => showRequest(stepId)}>
        what the model saw ›
      </button>
    </div>
  );
}

export const ReasoningRow = memo(function ReasoningRow({ item, focus }: RowProps<ReasoningItem>) {
  const open = useSessionLook((state) => state.openIds.has(item.id));
  const toggle = useSessionLook((state) => state.toggle);
  return (
    <div className="chat-reasoning">
      <button
        type="button"
        className="chat-reasoning-head"
        aria-expanded={open}
        onClick={() => toggle(item.id)}
        {...focus}
      >
        <span aria-hidden="true">{open ? "▾" : "▸"}</span>
        {item.done ? "Reasoning" : "Reasoning…"}
        {open ? null : <span className="truncate">{item.text.trim().split("\n", 1)[0]}</span>}
      </button>
      {open ? <div className="chat-reasoning-text">{item.text}</div> : null}
    </div>
  );
});

const NOTICE_SIGNS = { info: "·", warn: "●", bad: "✕" } as const;
const NOTICE_WORDS = { info: "Note", warn: "Warning", bad: "Problem" } as const;

export const NoticeRow = memo(function NoticeRow({ item, focus }: RowProps<NoticeItem>) {
  return (
    <div className="chat-notice" {...focus} role="note">
      <span className={item.tone === "info" ? "dim" : item.tone} aria-hidden="true">
        {NOTICE_SIGNS[item.tone]}
      </span>
      <p>
        <span className="visually-hidden">{NOTICE_WORDS[item.tone]}: </span>
        {item.text}
      </p>
    </div>
  );
});
