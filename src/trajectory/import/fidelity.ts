import type { ImportFidelity } from "../../session";

const WORSE: { readonly [Key in keyof ImportFidelity]: readonly ImportFidelity[Key][] } = {
  times: ["real", "missing", "naive"],
  callIds: ["real", "made"],
  results: ["full", "truncated", "masked", "absent"],
  usage: ["absent", "cumulative", "per-call"],
  files: ["none", "inferred", "snapshot"],
};

interface Witness {
  fidelity(): ImportFidelity;
  readonly callCount: number;
}

/** The fidelity of a whole file from its sessions'; what the format said wins, but for results: there the worse does. */
export function combinedFidelity(sessions: readonly Witness[], told: Partial<ImportFidelity>): ImportFidelity {
  const seen = sessions.map((session) => session.fidelity());
  const ofCalls = sessions.filter(({ callCount }) => callCount > 0).map((session) => session.fidelity());
  const times = seen.map((one) => one.times);
  const results = ofCalls.map((one) => one.results);
  const someResults = results.some((one) => one !== "absent") ? results.filter((one) => one !== "absent") : results;
  const derived: ImportFidelity = {
    times: times.includes("naive") ? "naive" : times.includes("real") ? "real" : "missing",
    callIds: furthest(
      "callIds",
      seen.map((one) => one.callIds),
    ),
    results: furthest("results", someResults),
    usage: furthest(
      "usage",
      seen.map((one) => one.usage),
    ),
    files: furthest(
      "files",
      seen.map((one) => one.files),
    ),
  };
  const combined = { ...derived, ...told };
  return told.results === undefined
    ? combined
    : { ...combined, results: furthest("results", [derived.results, told.results]) };
}

function furthest<Key extends keyof ImportFidelity>(
  key: Key,
  values: readonly ImportFidelity[Key][],
): ImportFidelity[Key] {
  const order = WORSE[key];
  let at = 0;
  for (const value of values) at = Math.max(at, order.indexOf(value));
  return order[at] as ImportFidelity[Key];
}
