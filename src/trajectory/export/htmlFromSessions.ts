import { bytesFromHex, sha256HexSync } from "../../base";
import { base64FromBytes } from "../base64";
import { soundEvents } from "../soundEvents";
import { CARRIED_KEY, carriedJson } from "./carriedLog";
import { exportedSession, type ExportedSession } from "./exportedSession";
import type { ExportInput } from "./exportOptions";
import { pageScript } from "./pageScript";
import { pageStyle } from "./pageStyle";
import { sessionFragment } from "./sessionFragment";

export interface HtmlOptions {
  /** The address of a playground the page offers to open the session in. */
  readonly playgroundAddress?: string;
}

/**
 * Sessions as one page that stands alone: it opens from a disk, asks for nothing over the network, and carries the logs
 * themselves, so that dropping it onto the playground opens them again. Texts of the session are never markup of the page,
 * and its policy lets no script run but its own.
 */
export async function htmlFromSessions(input: ExportInput, options: HtmlOptions = {}): Promise<string> {
  const [main] = input.sessions;
  if (main === undefined) throw new RangeError("There is no session to export.");
  const { title, agentName, modelId, turns } = exportedSession({ ...main, events: soundEvents(main.events) });
  const name = title ?? firstMessage(turns) ?? main.id;
  const carried = await carriedJson(input.sessions, input.blobs, null);
  const steps = turns.flatMap(({ entries }) => entries).filter(({ kind }) => kind === "step").length;
  const facts = [
    agentName,
    ...(modelId === undefined || modelId === "" ? [] : [modelId]),
    `${turns.length} turns`,
    `${steps} steps`,
  ];
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${digest(pageScript)}'`,
    `style-src 'sha256-${digest(pageStyle)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="generator" content="${CARRIED_KEY}">
<meta name="referrer" content="no-referrer">
<title>${escaped(name)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>${escaped(name)}</h1>
<p class="facts">${facts.map(escaped).join(" · ")}</p>
<div class="tools">
<select id="session" aria-label="Session" hidden></select>
<input id="find" type="search" placeholder="Search everything" aria-label="Search everything">
<span id="count" role="status"></span>
<button id="all" type="button">Open or fold all</button>
${await playgroundLink(input, options)}
</div>
</header>
<main aria-label="Session"></main>
<footer>
<p><kbd>j</kbd> <kbd>k</kbd> next and previous row · <kbd>Enter</kbd> open or fold · <kbd>[</kbd> <kbd>]</kbd> previous and next step · <kbd>/</kbd> search · <kbd>n</kbd> <kbd>N</kbd> next and previous found</p>
${options.playgroundAddress === undefined ? "" : "<p>To run it again or fork it, open the playground and drop this file onto it.</p>\n"}<noscript><p>This page shows the session by a script of its own, which is switched off here.</p></noscript>
</footer>
<script type="application/json" id="log">${scriptJson(carried)}</script>
<script>${pageScript}</script>
</body>
</html>
`;
}

/** The log a page carries, and nothing of the page; `undefined` for any other page. Never throws. */
export function carriedTextOfPage(html: string): string | undefined {
  if (!html.includes(`<meta name="generator" content="${CARRIED_KEY}">`)) return undefined;
  return /<script type="application\/json" id="log">([\s\S]*?)<\/script>/.exec(html)?.[1];
}

/** The beginning of what a person said first. */
function firstMessage(turns: ExportedSession["turns"]): string | undefined {
  const found = turns.flatMap(({ entries }) => entries).find(({ kind }) => kind === "message");
  const text = found?.kind === "message" ? found.text.replaceAll(/\s+/g, " ").trim() : "";
  return text === "" ? undefined : text.slice(0, 80).replace(/[\uD800-\uDBFF]$/, "");
}

/** With a small session in the address, else with what to do there. */
async function playgroundLink(input: ExportInput, { playgroundAddress }: HtmlOptions): Promise<string> {
  if (playgroundAddress === undefined || !/^https?:\/\//.test(playgroundAddress)) return "";
  const fragment = await sessionFragment(input);
  const address = fragment === undefined ? playgroundAddress : `${playgroundAddress.replace(/#.*$/, "")}#${fragment}`;
  return `<a href="${escaped(address)}" target="_blank" rel="noopener noreferrer">Open in the playground</a>`;
}

/** JSON that cannot end the element it stands in. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", String.raw`\u003c`)
    .replaceAll(">", String.raw`\u003e`)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`);
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function digest(text: string): string {
  return base64FromBytes(bytesFromHex(sha256HexSync(text)));
}
