import { Command, useCommandState } from "cmdk";
import { Dialog } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { PathRanking, shownName, type RankedPaths, type Workbench } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Kbd } from "../widgets/Kbd";
import { Swatch } from "../widgets/Swatch";
import { useFocusReturn } from "../widgets/useFocusReturn";
import { useCommands } from "./useCommands";

/** Milliseconds in which the palette gives the focus back: what takes it comes after. */
const CLOSED_MS = 30;

export interface PaletteProps {
  readonly kind: "commands" | "files";
  readonly onClose: () => void;
}

/** One field that finds commands, or files. */
export function Palette({ kind, onClose }: PaletteProps) {
  const title = kind === "files" ? "Go to file" : "Commands";
  const focus = useFocusReturn();
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-overlay" />
        <Dialog.Content
          className="dialog palette"
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
        >
          <Dialog.Title className="visually-hidden">{title}</Dialog.Title>
          {kind === "files" ? (
            <FilePalette label={title} onClose={onClose} />
          ) : (
            <CommandPalette label={title} onClose={onClose} />
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ListProps {
  readonly label: string;
  readonly onClose: () => void;
}

function CommandPalette({ label, onClose }: ListProps) {
  return (
    <Command label={label} loop>
      <Command.Input className="palette-input" placeholder="What should be done?" />
      <Command.List className="palette-list scroll">
        <CommandItems onClose={onClose} />
      </Command.List>
    </Command>
  );
}

function CommandItems({ onClose }: { readonly onClose: () => void }) {
  const commands = useCommands();
  return (
    <>
      <NothingFound words="No command has these words." />
      {commands.map((command) => (
        <Command.Item
          key={command.name}
          className="menu-item"
          value={command.name}
          onSelect={() => {
            onClose();
            setTimeout(command.run, CLOSED_MS);
          }}
        >
          {command.name}
          {command.keys ? (
            <span className="push-right">
              <Kbd keys={command.keys} />
            </span>
          ) : null}
        </Command.Item>
      ))}
    </>
  );
}

/** An option that cannot be chosen: a list for screen readers has options and nothing else in it. */
function NothingFound({ words }: { readonly words: string }) {
  const isEmpty = useCommandState((state) => state.filtered.count === 0);
  return isEmpty ? (
    <Command.Item forceMount disabled className="palette-empty dim" value="">
      {words}
    </Command.Item>
  ) : null;
}

function FilePalette({ label, onClose }: ListProps) {
  const { mounts, editor, project } = useWorkbench();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState("");
  const open = (path: string) => {
    onClose();
    // The file opens where it can be seen.
    project.getState().setMode("run");
    mounts.getState().reveal(path);
    // What is typed next is meant for the file.
    setTimeout(() => void editor.getState().open(path, undefined, "kept"), CLOSED_MS);
  };
  const { found, openBest } = useRankedPaths(query, open);
  const paths = found?.paths ?? [];
  return (
    // The best hit is chosen until a person chooses another.
    <Command
      shouldFilter={false}
      label={label}
      loop
      value={paths.includes(chosen) ? chosen : (paths[0] ?? "")}
      onValueChange={setChosen}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.nativeEvent.isComposing || found?.query === query) return;
        event.preventDefault();
        openBest();
      }}
    >
      <Command.Input
        className="palette-input"
        placeholder="Part of a path…"
        value={query}
        onValueChange={(next) => {
          setQuery(next);
          setChosen("");
        }}
      />
      <Command.List className="palette-list scroll">
        {found ? <NothingFound words="No file has this in its path." /> : null}
        {paths.map((path) => (
          <Command.Item key={path} className="menu-item mono" value={path} onSelect={() => open(path)}>
            <Swatch color={mounts.getState().mountOf(path)?.color ?? 8} />
            <span className="truncate tree-name">{shownName(path)}</span>
          </Command.Item>
        ))}
      </Command.List>
      {found && found.furtherMatches > 0 ? (
        <output className="palette-note dim small">
          {`${found.furtherMatches.toLocaleString("en")} more ${found.furtherMatches === 1 ? "matches" : "match"}: type on.`}
        </output>
      ) : null}
    </Command>
  );
}

type FoundPaths = RankedPaths & { readonly query: string };

/** The best paths for a query, kept up with the tree; what was found before stands until then. */
function useRankedPaths(query: string, open: (path: string) => void) {
  const { mounts } = useWorkbench();
  const [ranking] = useState(() => new PathRanking());
  const [found, setFound] = useState<FoundPaths>();
  const isBestWanted = useRef(false);
  const openPath = useRef(open);
  useEffect(() => {
    openPath.current = open;
  });
  useEffect(() => {
    const wanted = new AbortController();
    const follow = async () => {
      while (!wanted.signal.aborted) {
        const tree = mounts.getState().snapshot;
        const ranked = await ranking.rank(tree, query, wanted.signal);
        if (ranked === undefined) return;
        setFound({ ...ranked, query });
        const [best] = ranked.paths;
        if (isBestWanted.current && best !== undefined) return openPath.current(best);
        await nextSnapshot(mounts, tree, wanted.signal);
      }
    };
    isBestWanted.current = false;
    void follow();
    return () => wanted.abort();
  }, [mounts, ranking, query]);
  return {
    found,
    /** Opens the best one as soon as it is known. */
    openBest: () => {
      isBestWanted.current = true;
    },
  };
}

/** Waits until the drawn tree is another. */
function nextSnapshot(mounts: Workbench["mounts"], tree: unknown, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = mounts.subscribe((state) => {
      if (state.snapshot === tree) return;
      stop();
      resolve();
    });
    signal.addEventListener("abort", () => {
      stop();
      resolve();
    });
  });
}
