import { useStore } from "zustand";
import type { RequestPart } from "../../session";
import { INSTRUCTIONS_ID, type AgentView } from "../../store";
import { PartRow } from "../session/PartRow";
import { PartsBar } from "../session/PartsBar";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { usePromptPreview } from "./usePromptPreview";
import "../session/saw.css";
import "./agent.css";

/** Where the words of an owner come from, and where they are changed. */
const OWNERS: { readonly [owner: string]: { readonly from: string; readonly editIn?: AgentView | "instructions" } } = {
  instructions: { from: "the author's", editIn: "instructions" },
  identity: { from: "the name and description", editIn: "form" },
  brief: { from: "what the mounts say of themselves" },
  skills: { from: "the SKILL.md files of the mounts", editIn: "skills" },
  workspace: { from: "where paths begin" },
  asOf: { from: "the instant chosen below the message box" },
  context: { from: "the loop, before the first message" },
  history: { from: "what stands in the message box" },
  tools: { from: "the tools offered, with their schemas", editIn: "tools" },
};

/** What would be sent first, part by part, with whose words each part is. */
export function PromptView() {
  const { project } = useWorkbench();
  const { value: parts, problem } = usePromptPreview();
  const draft = useStore(project, (state) => state.draft);
  if (!parts) {
    return (
      <div className="agent-view">
        <p className={problem ? "document-note bad" : "document-note dim"}>{problem ?? "Making the prompt…"}</p>
      </div>
    );
  }
  const shown = shownParts(parts, draft);
  const total = shown.reduce((sum, part) => sum + part.approxTokens, 0);
  return (
    <div className="agent-view">
      <div className="agent-bar">
        <span className="muted small truncate numeric">
          {`About ${total.toLocaleString("en")} tokens, counted from the text, before anything is done.`}
        </span>
      </div>
      <div className="agent-scroll scroll">
        <div className="agent-prompt">
          {problem ? <p className="bad small" role="alert">{`Not as it is typed. ${problem}`}</p> : null}
          <PartsBar parts={shown} />
          {shown.map((part) => (
            <PromptPartRow key={part.owner} part={part} />
          ))}
        </div>
      </div>
    </div>
  );
}

function PromptPartRow({ part }: { readonly part: RequestPart }) {
  const { from, editIn } = OWNERS[part.owner] ?? { from: "" };
  return (
    <PartRow
      part={part}
      words={
        <>
          <b>{part.title}</b> <span className="dim">{from}</span>
        </>
      }
      size={`about ${part.approxTokens.toLocaleString("en")} tokens`}
      className="agent-part"
    >
      <EditButton owner={part.owner} editIn={editIn} />
    </PartRow>
  );
}

interface EditButtonProps {
  readonly owner: string;
  readonly editIn: AgentView | "instructions" | undefined;
}

function EditButton({ owner, editIn }: EditButtonProps) {
  const { project, editor } = useWorkbench();
  if (editIn === undefined) return <span className="agent-part-edit" />;
  const go = () => {
    if (editIn === "instructions") void editor.getState().open(INSTRUCTIONS_ID);
    else project.getState().change({ agentView: editIn });
  };
  return (
    <Button size="small" variant="quiet" className="agent-part-edit" aria-label={`Edit ${owner}`} onClick={go}>
      Edit
    </Button>
  );
}

/** The parts of the first request in its order: the schemas of all tools as one, and the message as it stands. */
function shownParts(parts: readonly RequestPart[], draft: string): RequestPart[] {
  const tools = parts.filter(({ owner }) => owner === "tools");
  const message = { owner: "history", title: "your message", text: draft, approxTokens: Math.ceil(draft.length / 4) };
  const schemas = {
    owner: "tools",
    title: `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`,
    text: tools.map(({ title, text }) => `${title}\n${text}`).join("\n\n"),
    approxTokens: tools.reduce((sum, { approxTokens }) => sum + approxTokens, 0),
  };
  return [
    ...parts.filter(({ owner }) => owner !== "tools"),
    ...(draft.trim() === "" ? [] : [message]),
    ...(tools.length === 0 ? [] : [schemas]),
  ];
}
