import { useEffect, useState, type RefObject } from "react";
import { prefixProblem, type MountView } from "../../store";
import {
  draftOf,
  draftPrefix,
  draftProblems,
  type DraftField,
  type DraftProblems,
  type MountDraft,
} from "./mountDraft";

/** The form of one mount: what stands in it, and what is wrong with it. */
export interface MountForm {
  readonly draft: MountDraft;
  /** The mount that is edited; absent for a new one. */
  readonly mount: MountView | undefined;
  /** The other mounts of the table. */
  readonly others: readonly MountView[];
  readonly prefix: string;
  readonly change: (patch: Partial<MountDraft>) => void;
  /** What is wrong with a field, once a person has left it or asked for the mount. */
  readonly problem: (field: DraftField) => string | undefined;
  readonly leave: (field: DraftField) => void;
  /** Shows all that is wrong, the first of it with the focus; whether there was something. */
  readonly refuses: () => boolean;
}

export interface MountFormOptions {
  readonly mount: MountView | undefined;
  readonly mounts: readonly MountView[];
  /** The element that holds the fields. */
  readonly fields: RefObject<HTMLFormElement | null>;
}

export function useMountForm({ mount, mounts, fields }: MountFormOptions): MountForm {
  const [draft, setDraft] = useState(() => draftOf(mount, mounts));
  const [left, setLeft] = useState<ReadonlySet<DraftField>>(new Set());
  const [asked, setAsked] = useState(0);
  const others = mounts.filter(({ id }) => id !== mount?.id);
  const prefix = draftPrefix(draft, others);
  const problems = allProblems(draft, prefix, mount, mounts);

  useEffect(() => {
    if (asked > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [asked, fields]);

  return {
    draft,
    mount,
    others,
    prefix,
    change(patch) {
      // Another kind is another form: nothing of it has been left yet.
      if (patch.kind !== undefined) {
        setLeft(new Set());
        setAsked(0);
      }
      setDraft((before) => ({ ...before, ...patch }));
    },
    problem: (field) => (asked > 0 || left.has(field) ? problems[field] : undefined),
    leave: (field) => setLeft((before) => (before.has(field) ? before : new Set([...before, field]))),
    refuses() {
      const isRefused = Object.keys(problems).length > 0;
      if (isRefused) setAsked(asked + 1);
      return isRefused;
    },
  };
}

function allProblems(
  draft: MountDraft,
  prefix: string,
  mount: MountView | undefined,
  mounts: readonly MountView[],
): DraftProblems {
  const path = prefixProblem(prefix, mounts, mount?.id);
  const isKnown = mount !== undefined && mount.state !== "needs-source";
  const isGone = (id: string) => draft.kind === "overlay" && !mounts.some((other) => other.id === id);
  return {
    ...draftProblems(draft, isKnown),
    ...(isGone(draft.upper) ? { upper: "Choose a mount." } : {}),
    ...(isGone(draft.lower) ? { lower: "Choose a mount." } : {}),
    ...(path === undefined ? {} : { prefix: path }),
  };
}
