/** An element as WebDAV and S3 answers need it: names without their namespace, attributes left out. */
export class XmlElement {
  readonly name: string;
  readonly children: XmlElement[] = [];
  /** The element's own text, entities resolved. */
  text = "";

  constructor(name: string) {
    this.name = name;
  }

  child(name: string): XmlElement | undefined {
    return this.children.find((child) => child.name === name);
  }

  all(name: string): XmlElement[] {
    return this.children.filter((child) => child.name === name);
  }

  /** The text of a child without the white space around it; `undefined` when there is none. */
  textOf(name: string): string | undefined {
    return this.child(name)?.text.trim();
  }
}

const TOKEN =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!(?!\[CDATA\[|--)[^>]*>|<\/[^>]+>|<([^\s/>]+)(?:"[^"]*"|'[^']*'|[^"'>])*>|([^<]+)/g;

/**
 * The root element of a document, or `undefined` when it is none. There is a parser of the browser's own, but a worker does
 * not have it.
 */
export function xmlElement(source: string): XmlElement | undefined {
  const document = new XmlElement("");
  const open: XmlElement[] = [document];
  for (const [token, data, tag, text] of source.matchAll(TOKEN)) {
    const current = open.at(-1);
    if (current === undefined) return undefined;
    if (tag !== undefined) {
      const element = new XmlElement(localName(tag));
      current.children.push(element);
      if (!token.endsWith("/>")) open.push(element);
    } else if (token.startsWith("</")) {
      if (current === document || localName(token.slice(2, -1).trim()) !== current.name) return undefined;
      open.pop();
    } else {
      current.text += data ?? (text === undefined ? "" : resolvedText(text));
    }
  }
  return open.length === 1 && document.children.length === 1 ? document.children[0] : undefined;
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(":") + 1).replace(/\/$/, "");
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function resolvedText(text: string): string {
  return text.replace(/&(#x[0-9a-fA-F]+|#\d+|\w+);/g, (whole, entity: string) => {
    if (!entity.startsWith("#")) return ENTITIES[entity] ?? whole;
    const code = entity[1] === "x" ? parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
