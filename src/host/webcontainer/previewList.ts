/** A port of the host that answers, and where a frame finds it. */
export interface HostPreview {
  readonly port: number;
  readonly url: string;
}

type Listener = (previews: readonly HostPreview[]) => void;

/** The ports that answer, by number. */
export function previewList() {
  let previews: readonly HostPreview[] = [];
  const listeners = new Set<Listener>();
  const become = (next: readonly HostPreview[]): void => {
    previews = next;
    for (const listener of listeners) listener(previews);
  };
  const without = (port: number): HostPreview[] => previews.filter((preview) => preview.port !== port);
  return {
    now: () => previews,
    open: (preview: HostPreview) => become([...without(preview.port), preview].toSorted((a, b) => a.port - b.port)),
    close: (port: number) => become(without(port)),
    clear: () => {
      if (previews.length > 0) become([]);
    },
    subscribe: (listener: Listener): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
