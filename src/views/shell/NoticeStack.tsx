import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Notice } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { IconButton } from "../widgets/IconButton";

const SIGNS = { info: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

/** Messages at the lower left, the newest below. */
export function NoticeStack() {
  const { notices: store } = useWorkbench();
  const notices = useStore(store, (state) => state.notices);
  return (
    <output className="notices">
      {notices.map((notice) => (
        <NoticeRow key={notice.id} notice={notice} dismiss={() => store.getState().dismiss(notice.id)} />
      ))}
    </output>
  );
}

/** Details shown before the rest is folded away. */
const FIRST_DETAILS = 6;

function NoticeRow({ notice, dismiss }: { readonly notice: Notice; readonly dismiss: () => void }) {
  const { tone, text, details = [], action, timeoutMs } = notice;
  const [all, setAll] = useState(false);
  const [held, setHeld] = useState(false);
  const Sign = SIGNS[tone];
  useEffect(() => {
    if (timeoutMs === undefined || held) return undefined;
    const timer = setTimeout(dismiss, timeoutMs);
    return () => clearTimeout(timer);
  }, [timeoutMs, held, dismiss]);
  const shown = all ? details : details.slice(0, FIRST_DETAILS);
  return (
    <div
      className={`notice notice-${tone}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Sign size={16} aria-hidden="true" className="notice-sign" />
      <div className="notice-words">
        <p>{text}</p>
        {shown.length > 0 ? (
          <ul className="notice-details scroll small muted">
            {shown.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        ) : null}
        {details.length > shown.length ? (
          <Button size="small" variant="quiet" onClick={() => setAll(true)}>
            {`Show ${details.length - shown.length} more`}
          </Button>
        ) : null}
      </div>
      {action ? (
        <Button
          size="small"
          onClick={() => {
            dismiss();
            action.run();
          }}
        >
          {action.label}
        </Button>
      ) : null}
      <IconButton label="Dismiss" icon={<X size={14} aria-hidden="true" />} onClick={dismiss} />
    </div>
  );
}
