import { Command, useCommandState } from "cmdk";
import { Dialog } from "radix-ui";
import { useDeferredValue, useMemo, useState } from "react";
import { useStore } from "zustand";
import { rankedPaths, type RankedPaths } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { countText } from "../widgets/byteText";
import { Kbd } from "../widgets/Kbd";
import { Swatch } from "../widgets/Swatch";
import { useFocusReturn } from "../widgets/useFocusReturn";
import { useCommands } from "./useCommands";

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
            command.run();
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
  const snapshot = useStore(mounts, (state) => state.snapshot);
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState("");
  const deferred = useDeferredValue(query);
  const { paths, furtherMatches, unsearchedFiles } = useMemo(
    () => rankedPaths(snapshot, deferred),
    [snapshot, deferred],
  );
  const open = (path: string) => {
    onClose();
    // The file opens where it can be seen.
    project.getState().setMode("run");
    mounts.getState().reveal(path);
    void editor.getState().open(path);
  };
  return (
    // The best hit is chosen until a person chooses another.
    <Command
      shouldFilter={false}
      label={label}
      loop
      value={paths.includes(chosen) ? chosen : (paths[0] ?? "")}
      onValueChange={setChosen}
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
        <NothingFound words="No file has this in its path." />
        {paths.map((path) => (
          <Command.Item key={path} className="menu-item mono" value={path} onSelect={() => open(path)}>
            <Swatch color={mounts.getState().mountOf(path)?.color ?? 8} />
            <span className="truncate">{path}</span>
          </Command.Item>
        ))}
      </Command.List>
      <LeftOut furtherMatches={furtherMatches} unsearchedFiles={unsearchedFiles} />
    </Command>
  );
}

/** What the list does not show. */
function LeftOut({ furtherMatches, unsearchedFiles }: Omit<RankedPaths, "paths">) {
  const further =
    furtherMatches > 0
      ? `${furtherMatches.toLocaleString("en")} more ${furtherMatches === 1 ? "matches" : "match"}: type on.`
      : "";
  const unsearched =
    unsearchedFiles > 0 ? `Not looked at: ${countText(unsearchedFiles, "file")} at the end of the tree.` : "";
  if (further === "" && unsearched === "") return null;
  return <output className="palette-note dim small">{[further, unsearched].filter(Boolean).join(" ")}</output>;
}
