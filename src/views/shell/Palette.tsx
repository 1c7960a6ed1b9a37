import { Command } from "cmdk";
import { Dialog } from "radix-ui";
import { useDeferredValue, useMemo, useState } from "react";
import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";
import { Kbd } from "../widgets/Kbd";
import { Swatch } from "../widgets/Swatch";
import { rankedPaths } from "./rankedPaths";
import { useCommands } from "./useCommands";

export interface PaletteProps {
  readonly kind: "commands" | "files";
  readonly onClose: () => void;
}

/** One field that finds commands, or files. */
export function Palette({ kind, onClose }: PaletteProps) {
  const [query, setQuery] = useState("");
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-overlay" />
        <Dialog.Content className="dialog palette" aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">{kind === "files" ? "Go to file" : "Commands"}</Dialog.Title>
          <Command shouldFilter={kind === "commands"} label={kind === "files" ? "Go to file" : "Commands"} loop>
            <Command.Input
              className="palette-input"
              value={query}
              onValueChange={setQuery}
              placeholder={kind === "files" ? "Part of a path…" : "What should be done?"}
            />
            <Command.List className="palette-list scroll">
              {kind === "files" ? <FileItems query={query} onClose={onClose} /> : <CommandItems onClose={onClose} />}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function CommandItems({ onClose }: { readonly onClose: () => void }) {
  const commands = useCommands();
  return (
    <>
      <Command.Empty className="palette-empty dim">No command has these words.</Command.Empty>
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

function FileItems({ query, onClose }: { readonly query: string; readonly onClose: () => void }) {
  const { mounts, editor } = useWorkbench();
  const snapshot = useStore(mounts, (state) => state.snapshot);
  const deferred = useDeferredValue(query);
  const paths = useMemo(() => rankedPaths(snapshot, deferred), [snapshot, deferred]);
  return (
    <>
      {paths.length === 0 ? <p className="palette-empty dim">No file has this in its path.</p> : null}
      {paths.map((path) => (
        <Command.Item
          key={path}
          className="menu-item mono"
          value={path}
          onSelect={() => {
            onClose();
            mounts.getState().reveal(path);
            void editor.getState().open(path);
          }}
        >
          <Swatch color={mounts.getState().mountOf(path)?.color ?? 8} />
          <span className="truncate">{path}</span>
        </Command.Item>
      ))}
    </>
  );
}
