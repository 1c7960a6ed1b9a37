import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { noticeTimeMs, shownSentence, type Notice } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { countText } from "../widgets/byteText";
import { IconButton } from "../widgets/IconButton";
import { isOverlayOpen } from "../widgets/isOverlayOpen";
import { saveFile } from "../widgets/saveFile";

const SIGNS = { info: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

/** Messages shown at once; the newest are. */
const SHOWN = 3;
/** Details shown before the rest is folded away. */
const FIRST_DETAILS = 4;
/** Milliseconds a notice stands on after a window that lay over it was closed. */
const AFTER_OVERLAY_MS = 2_000;

/** Messages at the lower edge, the newest below. */
export function NoticeStack() {
  const { notices: store } = useWorkbench();
  const notices = useStore(store, (state) => state.notices);
  const [allShown, showAll] = useState(false);
  const earlier = notices.length - SHOWN;
  return (
    <output className="notices">
      {earlier > 0 ? (
        <Button size="small" className="notices-more" aria-expanded={allShown} onClick={() => showAll(!allShown)}>
          {allShown ? "Only the newest" : countText(earlier, "earlier message")}
        </Button>
      ) : null}
      {notices.map((notice, index) => (
        <NoticeRow
          key={notice.id}
          notice={notice}
          isShown={allShown || index >= earlier}
          isNewest={index === notices.length - 1}
        />
      ))}
    </output>
  );
}

interface NoticeRowProps {
  readonly notice: Notice;
  /** One that is not shown still goes when its time is over. */
  readonly isShown: boolean;
  readonly isNewest: boolean;
}

function NoticeRow({ notice, isShown, isNewest }: NoticeRowProps) {
  const { notices: store } = useWorkbench();
  const { id, tone, text, details = [], action, file } = notice;
  const [all, setAll] = useState(false);
  const [held, setHeld] = useState(false);
  const Sign = SIGNS[tone];
  const dismiss = () => store.getState().dismiss(id);
  const timeMs = noticeTimeMs(notice);
  const offers = action !== undefined;
  useEffect(() => {
    if (timeMs === undefined || held) return undefined;
    const end = () => {
      // Under a window nobody could read it. An offer ends when it ends.
      if (isOverlayOpen() && !offers) timer = setTimeout(end, AFTER_OVERLAY_MS);
      else store.getState().dismiss(id);
    };
    let timer = setTimeout(end, timeMs);
    return () => clearTimeout(timer);
  }, [store, id, timeMs, offers, held]);
  if (!isShown) return null;
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
        <p>{shownSentence(text)}</p>
        {shown.length > 0 ? (
          <ul className="notice-details scroll small muted">
            {shown.map((detail) => (
              <li key={detail}>{shownSentence(detail)}</li>
            ))}
          </ul>
        ) : null}
        {details.length > shown.length ? (
          <Button size="small" variant="quiet" onClick={() => setAll(true)}>
            {`Show ${details.length - shown.length} more`}
          </Button>
        ) : null}
      </div>
      {file ? (
        <Button
          size="small"
          variant="quiet"
          onClick={() => void file().then((made) => made && saveFile(made.name, made.contents))}
        >
          Download
        </Button>
      ) : null}
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
      <IconButton
        label="Dismiss"
        icon={<X size={14} aria-hidden="true" />}
        onClick={dismiss}
        {...(isNewest ? { keys: "alt+0" } : {})}
      />
    </div>
  );
}
