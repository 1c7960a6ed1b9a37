import type { InputRequest, InputResolution } from "../index";
import type { Terminal } from "./terminal";

/** A person's answers to calls that wait for one; `undefined` where nobody answers. */
export async function answersOf(
  requests: readonly InputRequest[],
  terminal: Terminal,
): Promise<InputResolution[] | undefined> {
  if (!terminal.isPersonThere) return undefined;
  const resolutions: InputResolution[] = [];
  for (const request of requests) {
    const answer = await answerOf(request, terminal);
    if (answer === undefined) return undefined;
    resolutions.push(answer);
  }
  return resolutions;
}

async function answerOf(request: InputRequest, terminal: Terminal): Promise<InputResolution | undefined> {
  const { requestId, kind, inputHash, action } = request;
  const answered = { requestId, kind, ...(inputHash === undefined ? {} : { inputHash }) };
  terminal.note(`\n${action.toolName} ${JSON.stringify(action.input)}\n`);
  for (;;) {
    const said = (await terminal.ask("Run it? [y]es, [n]o, [a]lways in this session: "))?.trim();
    if (said === undefined) return undefined;
    if (/^y(es)?$/i.test(said)) return { ...answered, outcome: "approved", response: { optionId: "approve" } };
    if (/^a(lways)?$/i.test(said)) return { ...answered, outcome: "approved", response: { optionId: "always" } };
    const [, , words = ""] = /^n(o)?\b[,:\s]*(.*)$/is.exec(said) ?? [];
    if (!/^n(o)?\b/i.test(said)) continue;
    return { ...answered, outcome: "denied", response: { optionId: "deny", ...(words === "" ? {} : { text: words }) } };
  }
}
