import { useEffect, useState } from "react";
import { browserMemory } from "../widgets/browserMemory";

export type ThemeChoice = "system" | "light" | "dark";

const KEY = "theme";
const DARK = "(prefers-color-scheme: dark)";

function rememberedTheme(): ThemeChoice {
  const remembered = browserMemory.get(KEY);
  return remembered === "light" || remembered === "dark" ? remembered : "system";
}

/** The theme follows the system until a person chooses one; the choice is remembered. */
export function useThemeChoice(): readonly [ThemeChoice, (choice: ThemeChoice) => void] {
  const [choice, setChoice] = useState(rememberedTheme);
  useEffect(() => {
    const query = matchMedia(DARK);
    const apply = () => {
      document.documentElement.dataset["theme"] = choice === "system" ? (query.matches ? "dark" : "light") : choice;
    };
    apply();
    query.addEventListener("change", apply);
    return () => query.removeEventListener("change", apply);
  }, [choice]);
  return [
    choice,
    (next) => {
      browserMemory.set(KEY, next);
      setChoice(next);
    },
  ];
}
