import { expect, it } from "vitest";
import { xmlElement } from "./xmlElement";

it("reads elements by their names without the namespace, text with its entities", () => {
  const root = xmlElement(
    `<?xml version="1.0"?><!DOCTYPE x><!-- <no/> --><D:a xmlns:D="DAV:" t="a>b"><D:b/><b>1 &lt; 2 &amp;amp; &#x41;&#66;</b><c><![CDATA[<raw>]]></c></D:a>`,
  );
  expect([root?.name, root?.all("b").map(({ text }) => text), root?.textOf("c"), root?.textOf("d")]).toEqual([
    "a",
    ["", "1 < 2 &amp; AB"],
    "<raw>",
    undefined,
  ]);
});

it("reads nothing from what is no whole document", () => {
  for (const text of ["", "text", "<a>", "<a></b>", "</a>", "<a/><b/>", "<html><br></html>"]) {
    expect(xmlElement(text)).toBeUndefined();
  }
});
