import type { StartOption } from "../../../store";

/** The trees a recording can run on, in words. */
export const startWords: Readonly<
  Record<StartOption["kind"], { readonly label: string; readonly about: string; readonly ran: string }>
> = {
  snapshot: {
    label: "The files it was recorded on",
    about: "Kept with the session.",
    ran: "on the files it was recorded on",
  },
  mounts: { label: "Today’s mounts", about: "A copy of them as they are now.", ran: "on today’s mounts" },
  inferred: {
    label: "Inferred from the recording",
    about: "What it shows of each file before anything wrote it. Whatever nobody saw is not comparable.",
    ran: "on a tree inferred from the recording",
  },
};
