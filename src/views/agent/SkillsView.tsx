import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { useStore } from "zustand";
import { foundSkills, mountAt, shownName, type FoundSkills } from "../../store";
import { useShell } from "../shell/shellContext";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { EmptyState } from "../widgets/EmptyState";
import { isOverlayOpen } from "../widgets/isOverlayOpen";
import { Swatch } from "../widgets/Swatch";
import { NewSkillForm } from "./NewSkillForm";
import { useAgentReport } from "./useAgentReport";
import { useTreeLoad } from "./useTreeLoad";
import "./agent.css";

/** The skills on the mounts: what the model is told of each, and what is not as it should be. */
export function SkillsView() {
  const { mounts } = useWorkbench();
  const load = useCallback(() => foundSkills(mounts.getState().liveTree()), [mounts]);
  const { value: found, problem } = useTreeLoad(load);
  const { report } = useAgentReport();
  const shell = useShell();
  const isAsked = shell.overlay === "new-skill";
  const [isWanted, setMaking] = useState(false);
  const isMaking = isWanted || isAsked;
  const stopMaking = () => {
    setMaking(false);
    if (isAsked) shell.show(undefined);
  };
  const canWrite = useStore(mounts, (state) => state.mounts.some(({ readOnly }) => !readOnly));
  useNewKey(() => canWrite && setMaking(true));
  const canRead = report === undefined || report.offered.some(({ name }) => name === "Read");
  const add = (
    <Button size="small" keys="n" disabled={!canWrite} onClick={() => setMaking(true)}>
      New skill
    </Button>
  );
  return (
    <div className="agent-view">
      <div className="agent-bar">
        <span className={`small truncate ${canRead ? "muted" : "warn"}`}>
          {found && found.skills.length > 0
            ? canRead
              ? "The model is told each name, description and path; it reads the rest itself."
              : "The model is told of these, but Read is not offered: it cannot read them."
            : found === undefined && problem === undefined
              ? "Looking for skills on the mounts…"
              : "No skills yet."}
        </span>
        <span className="push-right agent-bar-buttons">{add}</span>
      </div>
      <div className="agent-scroll scroll">
        {isMaking ? <NewSkillForm close={stopMaking} /> : null}
        {problem ? <p className="document-note bad">{`The mounts cannot be searched: ${problem}`}</p> : null}
        {found && found.skills.length === 0 && !isMaking ? (
          <EmptyState text="A skill is a SKILL.md in a folder of its own on any mount: it says when it is of use and how a thing is done." />
        ) : null}
        {found && found.skills.length > 0 ? <SkillList found={found} /> : null}
      </div>
    </div>
  );
}

function SkillList({ found: { skills, isCut } }: { readonly found: FoundSkills }) {
  const { editor, mounts } = useWorkbench();
  const views = useStore(mounts, (state) => state.mounts);
  const open = (path: string) => {
    mounts.getState().reveal(path);
    void editor.getState().open(path);
  };
  return (
    <>
      <ul className="skill-list" aria-label="Skills">
        {skills.map(({ path, name, description, faults }) => {
          const mount = mountAt(views, path);
          return (
            <li key={path} className="skill">
              <button type="button" className="skill-open" onClick={() => open(path)}>
                <b>{shownName(name)}</b>
                <span className="skill-path mono small dim">
                  {mount ? <Swatch color={mount.color} /> : null}
                  <span className="truncate">{shownName(path)}</span>
                </span>
              </button>
              {description ? <p className="muted">{description}</p> : null}
              {faults.map((fault) => (
                <p key={fault} className="warn small">
                  {fault}
                </p>
              ))}
            </li>
          );
        })}
      </ul>
      {isCut ? (
        <p className="document-note dim small">{`There are more: the first ${skills.length} by path are told.`}</p>
      ) : null}
    </>
  );
}

/** `n`, where nobody types and no row has a use for it. */
function useNewKey(act: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "n" || event.ctrlKey || event.metaKey || event.altKey || isOverlayOpen()) return;
    const { target } = event;
    if (
      target instanceof HTMLElement &&
      target.closest("input:not([type=radio]), textarea, select, [contenteditable], [role=tree], .monaco-editor")
    )
      return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
