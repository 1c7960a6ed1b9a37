import { describe, expect, it } from "vitest";
import { textFromHtml } from "./webHtmlText";

const read = (html: string, address = "https://site.example/docs/page") =>
  textFromHtml(html, address, new AbortController().signal);

describe("textFromHtml", () => {
  it("keeps headings, lists, tables, quotes, code and whole links, and leaves out what is not to be read", async () => {
    const html = `<!doctype html><html><head><title> A &amp; B
      page</title><style>p { color: red }</style><script>document.write("<p>no</p>")</script></head><body>
      <nav><a href="/">Home</a></nav>
      <h1>Hello <em>you</em></h1>
      <p>One<br>two &lt;three&gt; <a href="../rel?x=1#part">a  link</a>, <a href="#here">here</a> and
         <a href="javascript:alert(1)">bad</a>. <img src="x.png" alt="a picture"><img src="data:image/png;base64,AA"></p>
      <ul><li>first</li><li>second<ol start="3"><li>inner <code>x = 1</code><li>last</ol></li></ul>
      <blockquote><p>quoted</p><p>twice</p></blockquote>
      <pre><code class="language-js">let a = 1;
  if (a &lt; 2) {}
</code></pre>
      <table><tr><th>Name<th>Size<tr><td>a.ts<td>12</table>
      <div hidden>hidden</div><div style="display: none">none</div><button>Buy</button><svg><text>drawn</text></svg>
      <p>unclosed <b>bold<p>next</body></html>`;
    expect(await read(html)).toEqual({
      title: "A & B page",
      text: `# Hello you

One
two <three> [a link](https://site.example/rel?x=1#part), here and bad. [image: a picture]

- first
- second
  3. inner \`x = 1\`
  4. last

> quoted

> twice

\`\`\`js
let a = 1;
  if (a < 2) {}
\`\`\`

Name | Size
a.ts | 12

unclosed bold

next`,
    });
  });

  it("tells only the main part where the page marks one", async () => {
    const html =
      "<body><header>Site</header><main><article><h2>Title</h2><p>Body<br></p></article></main><p>Ads</p></body>";
    expect((await read(html)).text).toBe("## Title\n\nBody");
  });

  it("puts the address of a link over several blocks behind the first", async () => {
    const html = "<ul><li><a href='/card'><h3>Title</h3><p>What it is</p></a></li></ul><p>after <a href='/x'>x</a>";
    expect((await read(html)).text).toBe(
      "- ### [Title](https://site.example/card)\n  What it is\n\nafter [x](https://site.example/x)",
    );
  });

  it("resolves links against the page's own base", async () => {
    const html = '<base href="https://other.example/a/"><p><a href="b">B</a></p>';
    expect((await read(html)).text).toBe("[B](https://other.example/a/b)");
  });

  it("says so where there is nothing to read without scripts", async () => {
    const html =
      '<html><head><title>App</title></head><body><div id="root"></div><script>start()</script></body></html>';
    expect(await read(html)).toEqual({
      title: "App",
      text: "(no text: the page may be drawn by its scripts, which are not run here)",
    });
  });

  it("comes to an end with broken and endless markup", async () => {
    expect((await read("<<<>>><a<b<c <!-- x --> <p>q</p> &#x110000; &nosuch; </")).text).toContain("q");
    expect((await read(`${"<div>".repeat(50_000)}deep`)).text).toBe("deep");
    expect((await read(`<ul>${"<li><ul>".repeat(2_000)}deep`)).text.trim()).toBe("- deep");
    expect((await read("<ul><li>x<blockquote>".repeat(20_000))).text.length).toBeLessThan(20_000 * 80);
    expect((await read("<a href=/q>x<p>".repeat(20_000))).text).toContain("[x](https://site.example/q)");
    const many = await read("<p>x <a href='/q'>z</a></p>\n".repeat(20_000));
    expect(many.text.split("\n\n").length).toBe(20_000);
  });

  it("stops in the middle of a page", async () => {
    const stop = new AbortController();
    const reading = textFromHtml("<p>word</p>".repeat(400_000), "https://site.example/", stop.signal);
    stop.abort();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  });
});
