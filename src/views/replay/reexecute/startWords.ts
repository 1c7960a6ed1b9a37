import type { StartOption } from "../../../store";

/** The trees a recording can run on, in words. */
export const startWords: Readonly<Record<StartOption["kind"], { readonly label: string; readonly about: string }>> = {
  snapshot: { label: "The files it was recorded on", about: "Kept with the session." },
  mounts: { label: "Today’s mounts", about: "A copy of them as they are now." },
  inferred: {
    label: "Inferred from the recording",
    about: "What it shows of each file before anything wrote it. Whatever nobody saw is not comparable.",
  },
};
