import { Redo2, Undo2 } from "lucide-react";
import { useStore } from "zustand";
import { limits } from "../../base";
import { INSTRUCTIONS_ID, type AgentJsonReport } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { EmptyState } from "../widgets/EmptyState";
import { IconButton } from "../widgets/IconButton";
import { TextField } from "../widgets/TextField";
import { ApprovalFields, PlaceFields } from "./ChoiceFields";
import { FieldNotes } from "./FieldNotes";
import { FORM_FIELDS, faultsByField, textOfValue } from "./formFields";
import { TextArea } from "./TextArea";
import { ToolsFields } from "./ToolsFields";
import { useAgentEdits } from "./useAgentEdits";
import { useAgentReport } from "./useAgentReport";
import "./agent.css";

/** The agent definition as a form: the same value as its JSON, field by field. */
export function AgentForm() {
  const { project } = useWorkbench();
  const report = useAgentReport();
  const { onKeyDown } = useAgentEdits();
  const toJson = () => project.getState().change({ agentView: "json" });
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- undo and redo of the fields in it
    <div className="agent-view" onKeyDown={onKeyDown}>
      <FormBar report={report} />
      {isObject(report.value) ? (
        <Fields report={report} value={report.value} />
      ) : (
        <EmptyState
          text={`${report.problem?.sentence ?? "agent.json is not an object."} The text is kept; the form shows it again once it is mended.`}
          action={<Button onClick={toJson}>Go to the JSON</Button>}
        />
      )}
    </div>
  );
}

function FormBar({ report: { problem, faults, report } }: { readonly report: AgentJsonReport }) {
  const { agentJson } = useWorkbench();
  const { canUndo, canRedo, undo, redo } = useStore(agentJson);
  return (
    <div className="agent-bar">
      <output className="truncate small">
        {problem ? (
          <span className="bad">No JSON: not saved</span>
        ) : faults.length > 0 ? (
          <span className="bad">{`${faults.length} ${faults.length === 1 ? "fault keeps" : "faults keep"} it from being saved`}</span>
        ) : report ? (
          <span className="muted numeric">{`${report.offered.length} tools offered`}</span>
        ) : null}
      </output>
      <span className="push-right agent-bar-buttons">
        <IconButton
          label="Undo"
          keys="mod+Z"
          icon={<Undo2 size={14} aria-hidden="true" />}
          disabled={!canUndo}
          onClick={undo}
        />
        <IconButton
          label="Redo"
          keys="mod+shift+Z"
          icon={<Redo2 size={14} aria-hidden="true" />}
          disabled={!canRedo}
          onClick={redo}
        />
      </span>
    </div>
  );
}

interface FieldsProps {
  readonly report: AgentJsonReport;
  readonly value: Readonly<Record<string, unknown>>;
}

function Fields({ report, value }: FieldsProps) {
  const { editor } = useWorkbench();
  const { set } = useAgentEdits();
  const notes = faultsByField(report.faults);
  const error = (field: "name" | "maxSteps" | "description") => sentence(notes.at(field));
  const known = new Set<string>(FORM_FIELDS);
  const unknown = Object.entries(value).filter(([field]) => !known.has(field) || field === "instructions");
  const unplaced = notes.others.filter(({ field }) => !unknown.some(([name]) => name === field));
  return (
    <div className="agent-scroll scroll">
      <div className="agent-form">
        <FieldNotes faults={unplaced} withField />
        <div className="agent-pair">
          <TextField
            label="Name"
            value={textOfValue(value["name"])}
            onChange={(name) => set("name", name)}
            error={error("name")}
            hint="Told to the model."
          />
          <TextField
            label="Steps of a turn"
            inputMode="numeric"
            value={textOfValue(value["maxSteps"])}
            onChange={(text) => set("maxSteps", stepsFromText(text))}
            error={error("maxSteps")}
            placeholder={`${limits.turnSteps}, unless set`}
            hint="Model calls at most."
          />
        </div>
        <TextArea
          label="Description"
          value={textOfValue(value["description"])}
          onChange={(text) => set("description", text === "" ? undefined : text)}
          error={error("description")}
          hint="What it is for, in a sentence; told to the model after the name."
        />
        <div className="field">
          <span className="field-label">Instructions</span>
          <span className="agent-line">
            <Button size="small" onClick={() => void editor.getState().open(INSTRUCTIONS_ID)}>
              Open instructions.md
            </Button>
            <span className="dim small">They are a document of their own.</span>
          </span>
          <FieldNotes faults={report.warnings} tone="warn" />
        </div>
        <PlaceFields value={value["runtime"]} faults={notes.at("runtime")} set={(next) => set("runtime", next)} />
        <ToolsFields
          value={value["tools"]}
          faults={notes.at("tools")}
          report={report.report}
          set={(next) => set("tools", next)}
        />
        <ApprovalFields
          value={value["approvals"]}
          faults={notes.at("approvals")}
          set={(next) => set("approvals", next)}
        />
        {unknown.length > 0 ? (
          <fieldset className="agent-set">
            <legend className="field-label">Other fields in the JSON</legend>
            {unknown.map(([field, other]) => (
              <div key={field} className="agent-unknown">
                <span className="mono truncate">{`${field}: ${JSON.stringify(other)}`}</span>
                <Button size="small" onClick={() => set(field, undefined)}>{`Take out ${field}`}</Button>
                <FieldNotes faults={report.faults.filter((fault) => fault.field === field)} />
              </div>
            ))}
          </fieldset>
        ) : null}
      </div>
    </div>
  );
}

function sentence(faults: readonly { readonly problem: string; readonly mend: string }[]): string | undefined {
  return faults.length === 0 ? undefined : faults.map(({ problem, mend }) => `${problem} ${mend}`).join(" ");
}

/** What is no number stays as it was typed, and is told as a fault. */
function stepsFromText(text: string): number | string | undefined {
  if (text.trim() === "") return undefined;
  return /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : text;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
