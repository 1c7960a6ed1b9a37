import type { SessionDraft, Where } from "../importBuilder";

/** One block of a model's text that stands for a change of a file. */
interface EditBlock {
  readonly path: string;
  readonly search: string;
  readonly replace: string;
}

const SEARCH = /^<{5,9} SEARCH>?\s*$/;
const DIVIDER = /^={5,9}\s*$/;
const REPLACE = /^>{5,9} REPLACE\s*$/;
const FENCE = /^\s*(?:```|~~~|<source>|<code>|<pre>)/;

/** The whole SEARCH/REPLACE blocks of a text; a block that breaks off is none. */
export function editBlocks(text: string): readonly EditBlock[] {
  const blocks: EditBlock[] = [];
  const lines = text.split("\n");
  let begun: number | undefined;
  let divider: number | undefined;
  for (const [at, line] of lines.entries()) {
    if (SEARCH.test(line)) [begun, divider] = [at, undefined];
    else if (begun !== undefined && divider === undefined && DIVIDER.test(line)) divider = at;
    else if (begun !== undefined && divider !== undefined && REPLACE.test(line)) {
      const path = pathAbove(lines, begun) ?? blocks.at(-1)?.path ?? "";
      const search = lines.slice(begun + 1, divider).join("\n");
      blocks.push({ path, search, replace: lines.slice(divider + 1, at).join("\n") });
      [begun, divider] = [undefined, undefined];
    }
  }
  return blocks;
}

/** The name of the file stands above the block, or above the fence around it. */
function pathAbove(lines: readonly string[], at: number): string | undefined {
  for (let line = at - 1; line >= Math.max(0, at - 3); line--) {
    const said = (lines[line] ?? "").trim();
    if (said === "" || FENCE.test(said)) continue;
    const name = said.replace(/^[#*`\s]+|[*`:\s]+$/g, "");
    // A sentence is no name.
    return name === "" || /\s/.test(name) || REPLACE.test(said) ? undefined : name;
  }
  return undefined;
}

/** The edits of a chat: each block is a call, and what the program says next is what became of it. */
export class AiderEdits {
  readonly #open: { readonly callId: string; readonly path: string }[] = [];

  asked(text: string, draft: SessionDraft, where: Where): void {
    this.#open.length = 0;
    for (const { path, search, replace } of editBlocks(text)) {
      const callId = draft.call({ toolName: "search_replace", input: { path, search, replace } }, where);
      this.#open.push({ callId, path });
    }
  }

  told(report: string, draft: SessionDraft, where: Where): void {
    if (this.#open.length === 0) return;
    for (const [, path = ""] of report.matchAll(/^Applied edit to (.+?)\s*$/gm)) {
      for (const edit of this.#take((each) => each.path === path))
        draft.result({ callId: edit.callId, output: `Applied edit to ${path}` }, where);
    }
    const [, failedCount] = /^# (\d+) SEARCH\/REPLACE blocks? failed to match!/m.exec(report) ?? [];
    if (failedCount === undefined) return;
    const paths = [...report.matchAll(/^## SearchReplace\w+: .* in (\S+)\s*$/gm)].map(([, path]) => path);
    const failed =
      paths.length > 0
        ? paths.flatMap((path) => {
            const first = this.#open.find((edit) => edit.path === path);
            return this.#take((edit) => edit === first);
          })
        : this.#take(() => true);
    for (const { callId } of failed) {
      const error = { code: "no-match", message: "The SEARCH block failed to match." };
      draft.result({ callId, output: report, status: "failed", error }, where);
    }
    if (!/^# The other .*applied successfully/m.test(report)) return;
    for (const { callId } of this.#take(() => true)) draft.result({ callId, output: "Applied edit" }, where);
  }

  #take(isMeant: (edit: { readonly callId: string; readonly path: string }) => boolean) {
    const meant = this.#open.filter(isMeant);
    for (const edit of meant) this.#open.splice(this.#open.indexOf(edit), 1);
    return meant;
  }
}
