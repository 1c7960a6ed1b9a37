import { lazy, Suspense, type ReactNode } from "react";
import type { SessionView } from "../../store";
import { useSessionLook } from "./useSessionState";

const ChatView = lazy(async () => ({ default: (await import("./ChatView")).ChatView }));
const TraceView = lazy(async () => ({ default: (await import("./TraceView")).TraceView }));
const RawView = lazy(async () => ({ default: (await import("./RawView")).RawView }));

/** The views of a session, in the order they are offered. */
export const sessionViews: readonly { readonly value: SessionView; readonly label: string }[] = [
  { value: "chat", label: "Chat" },
  { value: "trace", label: "Trace" },
  { value: "raw", label: "Raw" },
];

export interface SessionViewsProps {
  readonly view: SessionView;
  /** Stands in the chat's place while nothing was said. */
  readonly empty: ReactNode;
}

/** The session that is looked at here, in one of its views. */
export function SessionViews({ view, empty }: SessionViewsProps) {
  const isEmpty = useSessionLook((look) => look.session.itemIds.length === 0);
  if (view === "chat" && isEmpty) return empty;
  return <Suspense>{view === "chat" ? <ChatView /> : view === "trace" ? <TraceView /> : <RawView />}</Suspense>;
}
