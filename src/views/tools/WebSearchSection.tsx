import { useState, type FormEvent } from "react";
import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { PanelHeader } from "../widgets/PanelHeader";
import { Tag } from "../widgets/Tag";
import { TextField } from "../widgets/TextField";

/** What webSearch searches with, said plainly, and the service a person may name. */
export function WebSearchSection() {
  const { connections } = useWorkbench();
  const { endpoint, hasKey, source } = useStore(connections, (state) => state.webSearch);
  return (
    <section className="tools-section" aria-label="Web search">
      <PanelHeader
        title="Web search"
        level={3}
        detail={source === undefined ? "" : source.fixture ? "nothing searches yet" : `asks ${source.name}`}
      >
        {source?.fixture ? <Tag tone="warn">recorded results</Tag> : null}
      </PanelHeader>
      <p className="tools-none small muted">
        The service named here is asked. Without one webSearch answers with a few recorded results, and says so each
        time. No model that can be chosen searches by itself.
      </p>
      <SearchForm key={endpoint} endpoint={endpoint} hasKey={hasKey} />
    </section>
  );
}

function SearchForm({ endpoint, hasKey }: { readonly endpoint: string; readonly hasKey: boolean }) {
  const { connections } = useWorkbench();
  const [address, setAddress] = useState(endpoint);
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState<string>();
  const { setSearchEndpoint, setSearchKey } = connections.getState();
  const isChanged = address.trim() !== endpoint || key !== "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const refused = setSearchEndpoint(address);
    setProblem(refused);
    if (refused !== undefined || key === "") return;
    setSearchKey(key);
    setKey("");
  };
  return (
    <form className="search-form" data-takes-enter noValidate onSubmit={submit}>
      <TextField
        label="Search service"
        mono
        inputMode="url"
        placeholder="https://search.example/search?format=json"
        value={address}
        error={problem}
        hint="Asked with q={term}; answers JSON with results of title, url and snippet, as SearXNG does."
        onChange={(next) => {
          setAddress(next);
          setProblem(undefined);
        }}
      />
      <TextField
        label="Key (optional)"
        type="password"
        mono
        placeholder={hasKey ? "held in this tab" : ""}
        value={key}
        hint="Held in this tab’s memory, sent to the service alone."
        onChange={setKey}
      />
      <div className="search-buttons">
        <Button type="submit" size="small" disabled={!isChanged}>
          {address.trim() === "" && endpoint !== "" ? "Ask no service" : "Use"}
        </Button>
        {hasKey ? (
          <Button size="small" onClick={() => setSearchKey("")}>
            Forget the key
          </Button>
        ) : null}
      </div>
    </form>
  );
}
