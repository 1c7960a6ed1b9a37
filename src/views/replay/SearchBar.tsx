import { ChevronDown, ChevronUp, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "../widgets/IconButton";
import { useReplayLook, useReplayLookStore } from "./replayLookContext";
import { useAsked } from "./useAsked";

/** Milliseconds after the last letter before a search begins: nobody means every one of them. */
const TYPING_MS = 150;

/** Finds words in everything the session holds; Enter goes to the next place, Shift+Enter to the one before. */
export function SearchBar() {
  const look = useReplayLookStore();
  const words = useReplayLook((state) => state.words);
  const hitAt = useReplayLook((state) => state.hitAt);
  const hits = useReplayLook((state) => state.hits.length);
  const [typed, setTyped] = useState(words);
  const field = useRef<HTMLInputElement>(null);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  useEffect(
    () => look.subscribe((state, before) => void (state.words !== before.words && setTyped(state.words))),
    [look],
  );
  useAsked("search", () => {
    field.current?.focus();
    field.current?.select();
  });
  const { search, showHit } = look.getState();
  const begin = (next: string, afterMs: number) => {
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => search(next), afterMs);
  };
  const step = (direction: 1 | -1) => showHit(hitAt < 0 && direction < 0 ? -1 : hitAt + direction);
  useAsked("next-hit", () => step(1));
  useAsked("previous-hit", () => step(-1));
  return (
    <search className="replay-search">
      <Search size={14} aria-hidden="true" />
      <input
        ref={field}
        type="search"
        aria-label="Search the session"
        aria-keyshortcuts="/"
        placeholder="Search the session"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          begin(event.target.value, TYPING_MS);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") {
            event.preventDefault();
            if (typed === words) step(event.shiftKey ? -1 : 1);
            else begin(typed, 0);
          }
          if (event.key === "Escape" && typed !== "") {
            event.preventDefault();
            event.stopPropagation();
            setTyped("");
            begin("", 0);
          }
        }}
      />
      <Found />
      <IconButton
        label="Previous hit"
        keys="shift+N"
        disabled={hits === 0}
        icon={<ChevronUp size={14} aria-hidden="true" />}
        onClick={() => step(-1)}
      />
      <IconButton
        label="Next hit"
        keys="n"
        disabled={hits === 0}
        icon={<ChevronDown size={14} aria-hidden="true" />}
        onClick={() => step(1)}
      />
    </search>
  );
}

function Found() {
  const look = useReplayLookStore();
  const words = useReplayLook((state) => state.words);
  const count = useReplayLook((state) => state.hitCount);
  const hitAt = useReplayLook((state) => state.hitAt);
  const isSearching = useReplayLook((state) => state.isSearching);
  if (words.trim() === "") return null;
  const number = count.toLocaleString("en");
  return (
    <span className="small dim numeric replay-found">
      <output>{hitAt < 0 ? number : `${(hitAt + 1).toLocaleString("en")} of ${number}`}</output>
      {isSearching ? (
        <button type="button" className="link-button small" onClick={() => look.getState().stopSearch()}>
          stop
        </button>
      ) : null}
    </span>
  );
}
