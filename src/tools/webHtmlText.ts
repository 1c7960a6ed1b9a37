import { Parser } from "htmlparser2";
import { limits, nextTask } from "../base";
import { throwIfStopped } from "./stopping";
import { HtmlTextWriter } from "./webHtmlWriter";

/** What is never text to read: code, drawings, controls, and the links every page of a site repeats. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  "script style template svg math iframe object canvas audio video map nav button select textarea datalist dialog".split(
    " ",
  ),
);

/**
 * What a page says, as text: headings, lists, tables and code are kept as Markdown, links with their whole address. Where
 * the page marks its main part, only that is told. Scripts are not run and nothing is loaded.
 * @throws an AbortError once the signal fires
 */
export async function textFromHtml(
  html: string,
  address: string,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly title?: string }> {
  const reader = new HtmlReader(address);
  let sliceStart = performance.now();
  for (let index = 0; index < html.length; index += limits.webParsedCharacters) {
    throwIfStopped(signal);
    reader.parser.write(html.slice(index, index + limits.webParsedCharacters));
    if (performance.now() - sliceStart < limits.workSliceMs) continue;
    await nextTask();
    sliceStart = performance.now();
  }
  reader.parser.end();
  return reader.result();
}

class HtmlReader {
  readonly parser: Parser;
  #base: string;
  readonly #page = new HtmlTextWriter();
  readonly #main = new HtmlTextWriter();
  /** Open elements whose contents are left out. */
  #hidden: string[] = [];
  #mainDepth = 0;
  #title: string | undefined;
  #inTitle = false;

  constructor(address: string) {
    this.#base = address;
    this.parser = new Parser({
      onopentag: (name, attributes) => this.#open(name, attributes),
      ontext: (text) => this.#text(text),
      onclosetag: (name) => this.#close(name),
    });
  }

  result(): { readonly text: string; readonly title?: string } {
    const main = this.#main.end();
    const page = this.#page.end();
    const title = this.#title?.replaceAll(/\s+/g, " ").trim();
    const text = main === "" ? page : main;
    return { text: text === "" ? EMPTY_PAGE : text, ...(title === undefined ? {} : { title }) };
  }

  get #writers(): readonly HtmlTextWriter[] {
    return this.#mainDepth > 0 ? [this.#page, this.#main] : [this.#page];
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#hidden.length > 0) {
      this.#hidden.push(name);
      return;
    }
    if (name === "title" && this.#title === undefined) {
      this.#inTitle = true;
      this.#title = "";
      return;
    }
    if (name === "base" && attributes["href"] !== undefined)
      this.#base = absolute(attributes["href"], this.#base) ?? this.#base;
    if (LEFT_OUT.has(name) || isHidden(attributes)) {
      this.#hidden.push(name);
      return;
    }
    if (name === "main" || attributes["role"] === "main") this.#mainDepth++;
    else if (this.#mainDepth > 0 && !VOID.has(name)) this.#mainDepth++;
    const href = name === "a" ? absolute(attributes["href"] ?? "", this.#base) : undefined;
    for (const writer of this.#writers) writer.open(name, attributes, href);
  }

  #text(text: string): void {
    if (this.#inTitle) this.#title += text;
    else if (this.#hidden.length === 0) for (const writer of this.#writers) writer.text(text);
  }

  #close(name: string): void {
    if (this.#inTitle) {
      if (name === "title") this.#inTitle = false;
      return;
    }
    if (this.#hidden.length > 0) {
      this.#hidden.pop();
      return;
    }
    for (const writer of this.#writers) writer.close(name);
    if (this.#mainDepth > 0 && !VOID.has(name)) this.#mainDepth--;
  }
}

const EMPTY_PAGE = "(no text: the page may be drawn by its scripts, which are not run here)";

const VOID: ReadonlySet<string> = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  return (
    attributes["hidden"] !== undefined ||
    attributes["aria-hidden"] === "true" ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes["style"] ?? "")
  );
}

/** The whole address of a link that leads to another page. */
function absolute(href: string, base: string): string | undefined {
  const trimmed = href.trim();
  if (trimmed === "" || trimmed.startsWith("#") || !URL.canParse(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  return /^(https?|mailto):$/.test(url.protocol) ? url.href : undefined;
}
