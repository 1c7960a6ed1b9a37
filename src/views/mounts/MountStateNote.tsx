import type { ReactNode } from "react";
import { useStore } from "zustand";
import { noticeFromError, shownSentence, type MountView } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { byteText } from "../widgets/byteText";
import { noteHeadline } from "./noteHeadline";

export interface MountStateNoteProps {
  readonly mount: MountView;
  readonly edit: () => void;
  readonly giveKey: () => void;
}

/** What a mount waits for, or what is wrong with it, with the way on. */
export function MountStateNote({ mount, edit, giveKey }: MountStateNoteProps) {
  const { mounts: store, notices } = useWorkbench();
  const { id, prefix, state, error, source, readOnlyReason } = mount;
  const say = async (answer: Promise<string | undefined>) => {
    const problem = await answer;
    if (problem !== undefined) notices.getState().push({ tone: "bad", text: `${prefix}: ${problem}` });
  };
  const actions = store.getState();
  switch (state) {
    case "opening":
      return <OpeningNote mount={mount} stop={() => actions.stopFilling(id)} />;
    case "needs-permission":
      return (
        <Note tone="warn" words={error ?? "The browser asks again before this page may use the folder."}>
          <Button
            size="small"
            aria-label={`Allow access to ${prefix}`}
            onClick={() => void say(actions.askMountPermission(id))}
          >
            Allow access
          </Button>
        </Note>
      );
    case "needs-credentials":
      return (
        <Note tone="warn" words={error ?? "Its key is asked for again after a reload: it is never saved."}>
          <Button size="small" aria-label={`Give key… for ${prefix}`} onClick={giveKey}>
            Give key…
          </Button>
        </Note>
      );
    case "needs-source":
      return (
        <Note tone={isBroken(source) ? "bad" : "warn"} words={error ?? "Where its files are is not known here."}>
          <Button size="small" aria-label={`${choiceWords(source)} for ${prefix}`} onClick={edit}>
            {choiceWords(source)}
          </Button>
        </Note>
      );
    case "failed":
      return (
        <Note tone="bad" words={error ?? "It does not open."}>
          <Button size="small" aria-label={`Try again: ${prefix}`} onClick={() => void say(actions.reopenMount(id))}>
            Try again
          </Button>
          <Button size="small" aria-label={`Edit… ${prefix}`} onClick={edit}>
            Edit…
          </Button>
        </Note>
      );
    case "ready":
      break;
  }
  if (error !== undefined) return <Note tone="warn" words={error} />;
  if (source.kind === "host" && mount.fileCount === 0) return <EmptyHostNote />;
  return readOnlyReason !== undefined && source.kind !== "overlay" ? (
    <Note tone="plain" words={`Read-only: ${readOnlyReason}`} />
  ) : null;
}

/** A host's disk that is empty while other mounts have files. */
function EmptyHostNote() {
  const workbench = useWorkbench();
  const { mounts, notices } = workbench;
  const hasOthers = useStore(mounts, (state) => state.mounts.some(({ fileCount }) => fileCount > 0));
  if (!hasOthers) return null;
  const copy = async () => {
    try {
      await (await workbench.host()).copyMounts();
    } catch (error) {
      notices.getState().push(noticeFromError("Not all files were copied", error));
    }
  };
  return (
    <Note tone="plain" words="Empty.">
      <Button size="small" onClick={() => void copy()}>
        Copy the mounts' files here
      </Button>
    </Note>
  );
}

const CHOOSE_AGAIN: { readonly [Kind in MountView["kind"]]?: string } = {
  folder: "Choose folder…",
  archive: "Choose file…",
  address: "Give address…",
  s3: "Give address…",
  webdav: "Give address…",
};

/** A file that was chosen and could not be unpacked: the same one once more is of no use. */
function isBroken(source: MountView["source"]): boolean {
  return source.kind === "archive" && source.problem !== undefined;
}

function choiceWords(source: MountView["source"]): string {
  return isBroken(source) ? "Choose another file…" : (CHOOSE_AGAIN[source.kind] ?? "Edit…");
}

const SIGNS = { plain: "", warn: "● ", bad: "✕ " } as const;
const TONES = { plain: "dim", warn: "warn", bad: "bad" } as const;

interface NoteProps {
  readonly tone: keyof typeof SIGNS;
  readonly words: string;
  readonly children?: ReactNode;
}

function Note({ tone, words, children }: NoteProps) {
  const [first, further] = noteHeadline(shownSentence(words));
  return (
    <div className="mount-note">
      <p className={`small ${TONES[tone]}`}>
        <span aria-hidden="true">{SIGNS[tone]}</span>
        {first}
      </p>
      {further === "" ? null : (
        <details className="small dim">
          <summary>More</summary>
          {further}
        </details>
      )}
      {children ? <div className="mount-note-buttons">{children}</div> : null}
    </div>
  );
}

interface OpeningNoteProps {
  readonly mount: MountView;
  readonly stop: () => void;
}

function OpeningNote({ mount: { prefix, kind, progress }, stop }: OpeningNoteProps) {
  const verb = kind === "archive" ? "Unpacking" : kind === "address" || kind === "package" ? "Fetching" : "Opening";
  const { files = 0, bytes = 0, total } = progress ?? {};
  const of = total === undefined ? "" : ` of ${total.toLocaleString("en")}`;
  const came = [
    ...(files > 0 || total !== undefined ? [`${files.toLocaleString("en")}${of} files`] : []),
    ...(bytes > 0 ? [byteText(bytes)] : []),
  ];
  const words = `${verb}… ${came.join(" · ")}`.trim();
  return (
    <div className="mount-note">
      <div className="mount-opening">
        <span className="small muted numeric truncate">{words}</span>
        <Button size="small" className="push-right" aria-label={`Stop opening ${prefix}`} onClick={stop}>
          Stop
        </Button>
      </div>
      <progress
        className="progress-bar"
        aria-label={`${verb} ${prefix}`}
        max={1}
        {...(total ? { value: files / total } : {})}
      />
    </div>
  );
}
