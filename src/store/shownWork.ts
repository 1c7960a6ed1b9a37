import type { NoticeStore } from "./noticeStore";

/** Milliseconds before long work shows: what is done by then is not worth a word. */
const SHOWN_AFTER_MS = 600;
/** Milliseconds between two words of how far it is: often enough to see it move, seldom enough to be read. */
const WORDS_MS = 1_000;
/** Longer than any work; the longest a timer can wait. */
const NEVER_MS = 2 ** 31 - 1;

/** Work that a notice tells of while it lasts, with a way to stop it. */
export interface ShownWork {
  /** Aborted when a person stops it. */
  readonly signal: AbortSignal;
  /** How far it is, as a whole sentence without its full stop. */
  readonly progress: (words: string) => void;
  /** To be called however it ends. */
  readonly end: () => void;
}

/** Shows a notice of work that takes longer than a moment until it ends. `stop` is what its button is called. */
export function shownWork(notices: NoticeStore, begins: string, stop = "Stop"): ShownWork {
  const stopping = new AbortController();
  let words = begins;
  let shown: string | undefined;
  let saidAt = 0;
  const timer = setTimeout(() => {
    const action = { label: stop, run: () => stopping.abort(new Error("It was stopped.")) };
    shown = notices.getState().push({ tone: "info", text: words, timeoutMs: NEVER_MS, action });
  }, SHOWN_AFTER_MS);
  return {
    signal: stopping.signal,
    progress(next) {
      words = next;
      if (shown === undefined || performance.now() < saidAt + WORDS_MS) return;
      saidAt = performance.now();
      notices.setState(({ notices: all }) => ({
        notices: all.map((notice) => (notice.id === shown ? { ...notice, text: next } : notice)),
      }));
    },
    end() {
      clearTimeout(timer);
      if (shown !== undefined) notices.getState().dismiss(shown);
    },
  };
}
