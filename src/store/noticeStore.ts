import { limits } from "../base";
import { createStore, type StoreApi } from "zustand/vanilla";

export type NoticeTone = "info" | "good" | "warn" | "bad";

/** A message to the person, shown where notices stack up until it is dismissed or its time is over. */
export interface Notice {
  readonly id: string;
  readonly tone: NoticeTone;
  readonly text: string;
  /** Further lines, e.g. the names an import refused. */
  readonly details?: readonly string[];
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Makes a file that is offered as a download beside the action; the notice stays. Answers nothing when it said why. */
  readonly file?: () => Promise<{ readonly name: string; readonly contents: Blob } | undefined>;
  /** Milliseconds until it goes by itself; absent: by its length, as `noticeTimeMs` says. */
  readonly timeoutMs?: number;
}

/** How long a notice stands at least, in ms, and what each character to be read adds. */
const LEAST_MS = 5_000;
const CHARACTER_MS = 60;

/** How long a notice stands, in ms, so that it can be read and its offer taken; bad news stays until dismissed: `undefined`. */
export function noticeTimeMs({ tone, text, details = [], action, timeoutMs }: Omit<Notice, "id">): number | undefined {
  if (timeoutMs !== undefined) return timeoutMs;
  if (tone === "bad") return undefined;
  const length = details.reduce((sum, detail) => sum + detail.length, text.length);
  return (action ? limits.undoMs : LEAST_MS) + length * CHARACTER_MS;
}

export interface NoticeState {
  readonly notices: readonly Notice[];
  /** Adds a notice and answers its id. One that repeats the text of another takes its place. */
  readonly push: (notice: Omit<Notice, "id">) => string;
  readonly dismiss: (id: string) => void;
}

export type NoticeStore = StoreApi<NoticeState>;

export function createNoticeStore(): NoticeStore {
  let counter = 0;
  return createStore<NoticeState>()((set) => ({
    notices: [],
    push(notice) {
      const id = `notice_${++counter}`;
      set((state) => ({
        notices: [...state.notices.filter((other) => other.text !== notice.text), { ...notice, id }],
      }));
      return id;
    },
    dismiss: (id) => set((state) => ({ notices: state.notices.filter((notice) => notice.id !== id) })),
  }));
}
