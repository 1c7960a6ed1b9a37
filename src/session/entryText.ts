import type { EventData } from "./sessionEvent";

/** Characters of what an entry says of itself: a line of the chat holds no more. */
const WORDS = /^[^\n]{1,80}/;

/** An entry of a recording in words: its kind, and what it is called where it says so. */
export function entryText({ kind, raw }: EventData["import.entry"]): string {
  const told = typeof raw === "object" && raw !== null ? (raw as { readonly [field: string]: unknown }) : {};
  const words = ["name", "summary", "subtype"].flatMap((field) => {
    const value = Object.hasOwn(told, field) ? told[field] : undefined;
    return typeof value === "string" && value !== kind ? (WORDS.exec(value.trim()) ?? []) : [];
  });
  return `Recorded: ${[kind, ...words.slice(0, 1)].join(" · ")}`;
}
