import type { RequestPart } from "../../session";

/** Colours of the bar of parts, by the theme's mount colours; each also stands beside its word below. */
const OWNER_COLORS: { readonly [owner: string]: number } = {
  instructions: 1,
  identity: 8,
  brief: 3,
  skills: 4,
  context: 5,
  workspace: 7,
  history: 2,
  tools: 6,
};

/** How much of a request each part is. */
export function PartsBar({ parts }: { readonly parts: readonly RequestPart[] }) {
  return (
    <div className="saw-bar" aria-hidden="true">
      {parts.map((part, index) => (
        <span
          key={partKey(part, index)}
          style={{ flex: Math.max(1, part.text.length), background: ownerColor(part.owner) }}
          title={`${part.owner}, ${partWords(part)}`}
        />
      ))}
    </div>
  );
}

/** Parts of one owner may be equal; their place tells them apart, and a request never changes. */
export function partKey(part: { readonly owner: string }, index: number): string {
  return `${part.owner}/${index}`;
}

export function ownerColor(owner: string): string {
  const known = Object.keys(OWNER_COLORS).find((name) => owner.startsWith(name));
  return `var(--mount-${known === undefined ? 8 : OWNER_COLORS[known]})`;
}

export function partWords(part: RequestPart): string {
  return `${part.text.length.toLocaleString("en")} characters · about ${part.approxTokens.toLocaleString("en")} tokens`;
}
