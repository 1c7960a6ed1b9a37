import { folderProblem, type MountKind, type MountView } from "../../store";
import { kindGroups } from "./mountKinds";

export interface KindListProps {
  readonly kind: MountKind;
  readonly onChange: (kind: MountKind) => void;
  /** Why a kind cannot be had now. */
  readonly problems: { readonly [Kind in MountKind]?: string | undefined };
}

/** The kinds of mounts, in groups by where the files are; one that cannot be had says why. */
export function KindList({ kind, onChange, problems }: KindListProps) {
  return (
    <div className="kind-list" role="radiogroup" aria-label="Kind of mount">
      {kindGroups.map((group) => (
        <div key={group.title} role="presentation">
          <p className="kind-group dim small">{group.title}</p>
          {group.kinds.map((look) => {
            const problem = problems[look.kind];
            return (
              <label key={look.kind} className={`kind-choice${problem === undefined ? "" : " kind-refused"}`}>
                <input
                  type="radio"
                  name="mount-kind"
                  checked={kind === look.kind}
                  disabled={problem !== undefined}
                  onChange={() => onChange(look.kind)}
                />
                <look.icon size={14} aria-hidden="true" />
                <span>
                  {look.label}
                  {problem === undefined ? null : <span className="dim small kind-problem">{problem}</span>}
                </span>
              </label>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** Why kinds cannot be had in this browser, or with these mounts. */
export function kindProblems(mounts: readonly Pick<MountView, "kind">[]): KindListProps["problems"] {
  return {
    host: mounts.some(({ kind }) => kind === "host") ? "The project has its host disk already." : undefined,
    folder: folderProblem(),
    overlay: mounts.length < 2 ? "It needs two mounts in the table." : undefined,
  };
}
