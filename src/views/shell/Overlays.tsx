import { lazy, Suspense, useEffect } from "react";
import { useShell } from "./shellContext";

const loadPalette = () => import("./Palette").then((module) => ({ default: module.Palette }));
const loadFindDialog = () => import("./FindDialog").then((module) => ({ default: module.FindDialog }));
const Palette = lazy(loadPalette);
const FindDialog = lazy(loadFindDialog);
const OtherOverlays = lazy(() => import("./OtherOverlays").then((module) => ({ default: module.OtherOverlays })));

/** Milliseconds after which what a person types into at once is loaded, asked for or not: the page itself comes first. */
const SOON_MS = 1_500;

/** What lies over the page; each part is loaded when it is first asked for, what has keys of its own before. */
export function Overlays() {
  const { overlay, show } = useShell();
  useEffect(() => {
    // What is typed while it loads would go to the page below. What fails to load says so when it is asked for.
    const load = () => void Promise.allSettled([loadPalette(), loadFindDialog()]);
    const timer = setTimeout(load, SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  const close = () => show(undefined);
  return <Suspense fallback={null}>{overlay === undefined ? null : overlayOf(overlay)}</Suspense>;

  function overlayOf(kind: NonNullable<typeof overlay>) {
    if (kind === "commands" || kind === "files") return <Palette key={kind} kind={kind} onClose={close} />;
    return kind === "find" ? <FindDialog onClose={close} /> : <OtherOverlays overlay={kind} onClose={close} />;
  }
}
