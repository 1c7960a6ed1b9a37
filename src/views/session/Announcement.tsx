/** Says a change of its words to a screen reader, without moving the focus. */
export function Announcement({ words }: { readonly words: string }) {
  return <output className="visually-hidden">{words}</output>;
}
