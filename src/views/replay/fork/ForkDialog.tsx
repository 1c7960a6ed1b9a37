import { use, useState, type FormEvent } from "react";
import { messageFromError, type ForkChoice, type ForkPlan } from "../../../store";
import { useLoaded } from "../../session/useLoaded";
import { useWorkbench } from "../../workbenchContext";
import { Dialog } from "../../widgets/Dialog";
import { FormFooter } from "../../widgets/FormFooter";
import { EditChoice } from "./EditChoice";
import { firstDraft, forkChoice, type ForkDraft } from "./forkDraft";
import { GoOnChoice } from "./GoOnChoice";
import "./fork.css";

export interface ForkDialogProps {
  readonly sessionId: string;
  readonly index: number;
  readonly onClose: () => void;
}

/** What a new session does otherwise than the one it comes from, and how it goes on. */
export function ForkDialog({ sessionId, index, onClose }: ForkDialogProps) {
  const forks = use(useWorkbench().forks());
  const loaded = useLoaded(`${sessionId} ${index}`, () => forks.plan(sessionId, index));
  if (loaded.state === "loaded") return <ForkForm plan={loaded.value} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title="Fork from here" width={640}>
      {loaded.state === "failed" ? (
        <p className="bad" role="alert">
          {loaded.message}
        </p>
      ) : (
        <p className="dim">Looking at the session and its files…</p>
      )}
    </Dialog>
  );
}

function ForkForm({ plan, onClose }: { readonly plan: ForkPlan; readonly onClose: () => void }) {
  const workbench = useWorkbench();
  const [draft, setDraft] = useState<ForkDraft>(() => firstDraft(plan));
  const [refused, setRefused] = useState<string>();
  const [isMaking, setMaking] = useState(false);
  const change = (patch: Partial<ForkDraft>) => {
    setRefused(undefined);
    setDraft((before) => ({ ...before, ...patch }));
  };
  const make = async (choice: ForkChoice) => {
    setMaking(true);
    try {
      await (await workbench.forks()).make(plan, choice);
      workbench.project.getState().setMode("run");
      onClose();
    } catch (error) {
      setMaking(false);
      setRefused(
        error instanceof SyntaxError
          ? "The result was JSON, and what is written in its place is none."
          : messageFromError(error),
      );
    }
  };
  const choice = forkChoice(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (choice !== undefined) void make(choice);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Fork from event ${plan.index + 1}`}
      description="A new session goes on from here, on a copy of the files as they were. Your mounts stay as they are."
      width={680}
      footer={
        <FormFooter
          form="fork"
          label={isMaking ? "Making the fork…" : "Fork and go on"}
          disabled={isMaking || choice === undefined}
          refused={refused}
          onCancel={onClose}
        />
      }
    >
      <form id="fork" className="fork" onSubmit={submit}>
        <EditChoice plan={plan} draft={draft} onChange={change} />
        <GoOnChoice plan={plan} draft={draft} onChange={change} />
      </form>
    </Dialog>
  );
}
