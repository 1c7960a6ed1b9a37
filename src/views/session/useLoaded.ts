import { useEffect, useState } from "react";

export type Loaded<Value> =
  | { readonly state: "loading" }
  | { readonly state: "loaded"; readonly value: Value }
  | { readonly state: "failed"; readonly message: string };

/** A value that has to be fetched; fetched again when `key` changes. `load` may throw. */
export function useLoaded<Value>(key: string, load: () => Promise<Value>): Loaded<Value> {
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly result: Loaded<Value> }>();
  useEffect(() => {
    let current = true;
    load().then(
      (value) => current && setLoaded({ key, result: { state: "loaded", value } }),
      (error: unknown) =>
        current &&
        setLoaded({
          key,
          result: { state: "failed", message: error instanceof Error ? error.message : String(error) },
        }),
    );
    return () => {
      current = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `load` is made anew on every render; `key` says when it would answer something else
  }, [key]);
  return loaded?.key === key ? loaded.result : { state: "loading" };
}
