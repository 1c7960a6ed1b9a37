import { useState } from "react";
import { Button } from "../widgets/Button";
import { Popover } from "../widgets/Popover";
import { FixedTag } from "./FixedTag";
import { useSessionState } from "./useSessionState";

/** The instant a session takes for now: set for the one that begins next, shown for one that has begun. */
export function AsOfTag() {
  const asOf = useSessionState((state) => state.asOf);
  const fixed = useSessionState((state) => state.currentId !== undefined);
  const [open, setOpen] = useState(false);
  const words = asOf === undefined ? "as of…" : `as of ${asOf}`;
  if (fixed) return <FixedTag pressed={asOf !== undefined}>{words}</FixedTag>;
  const tag = (
    <button
      type="button"
      className="tag-toggle"
      aria-pressed={asOf !== undefined}
      title="The instant the agent takes for now; nothing later has happened for it."
    >
      {words}
    </button>
  );
  return (
    <Popover open={open} onOpenChange={setOpen} label="As of" trigger={tag}>
      <AsOfForm asOf={asOf} onDone={() => setOpen(false)} />
    </Popover>
  );
}

function AsOfForm({ asOf, onDone }: { readonly asOf: string | undefined; readonly onDone: () => void }) {
  const setAsOf = useSessionState((state) => state.setAsOf);
  const [text, setText] = useState(asOf ?? "");
  const [problem, setProblem] = useState<string>();
  const set = async () => {
    const wanted = text.trim();
    const found = await setAsOf(wanted === "" ? undefined : wanted);
    setProblem(found);
    if (found === undefined) onDone();
  };
  return (
    <form
      className="as-of"
      onSubmit={(event) => {
        event.preventDefault();
        void set();
      }}
    >
      <label>
        The instant the session takes for now
        <input
          className="input"
          value={text}
          placeholder="2025-01-31T12:00:00Z"
          spellCheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby="as-of-problem"
          onChange={(event) => {
            setText(event.target.value);
            setProblem(undefined);
          }}
        />
      </label>
      <output id="as-of-problem">
        {problem ?? "A date and time with a zone. Left empty, the session goes by the clock."}
      </output>
      <Button size="small" variant="primary" type="submit">
        Set
      </Button>
    </form>
  );
}
