import { Link } from "lucide-react";
import type { ReactNode } from "react";
import { useCopy } from "../session/useCopy";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { replayAddress } from "../../store";
import { ExportMenu } from "./ExportMenu";
import { ForkButton } from "./fork/ForkButton";
import { FilterMenu } from "./FilterMenu";
import { SearchBar } from "./SearchBar";
import { useAsked } from "./useAsked";

/** What can be found in the session, shown of it, and taken from it. */
export function ReplayTools({ again }: { readonly again: ReactNode }) {
  return (
    <div className="replay-tools" role="toolbar" aria-label="This session">
      <SearchBar />
      <FilterMenu />
      <span className="replay-actions">
        {again}
        <ForkButton />
        <CopyLink />
        <ExportMenu />
      </span>
    </div>
  );
}

/** The address of this event, with the file a person chose. */
function CopyLink() {
  const { replay } = useWorkbench();
  const { copied, copy } = useCopy();
  const take = () => {
    const { sessionId, index, chosen } = replay.getState();
    if (sessionId === undefined) return;
    const place = { index, ...(chosen === undefined ? {} : { file: chosen }) };
    copy(location.href.replace(/#.*$/, "") + replayAddress(sessionId, place));
  };
  useAsked("copy-link", take);
  return (
    <Button size="small" onClick={take} title="Copies the address of this event">
      <Link size={14} aria-hidden="true" />
      {copied ? "Copied" : "Link"}
    </Button>
  );
}
