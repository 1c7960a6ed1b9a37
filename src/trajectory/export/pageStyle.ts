/** The style of an exported page: light and dark by the reader's system, no address in it. */
export const pageStyle = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1a1d21;--soft:#5b6470;--line:#d9dde2;--field:#f4f5f7;--accent:#1f5fbf;--bad:#b3261e;--mark:#ffe28a;--markInk:#1a1d21}
@media (prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e6e8eb;--soft:#9aa4b0;--line:#323840;--field:#1d2126;--accent:#7fb0ff;--bad:#ff8a80;--mark:#7a5d00;--markInk:#fff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
header{position:sticky;top:0;z-index:1;background:var(--paper);border-bottom:1px solid var(--line);padding:.6rem 1rem}
h1{font-size:1.1rem;margin:0 0 .25rem;overflow-wrap:anywhere}
.facts{color:var(--soft);font-size:.85rem;margin:0 0 .5rem;overflow-wrap:anywhere}
.tools{display:flex;gap:.5rem;flex-wrap:wrap;align-items:center}
input,select,button{font:inherit;color:inherit;background:var(--field);border:1px solid var(--line);border-radius:.35rem;padding:.2rem .5rem}
input{flex:1 1 14rem;min-width:8rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
a{color:var(--accent)}
main{padding:.5rem 1rem 4rem;max-width:70rem;margin:0 auto}
.row{border:1px solid transparent;border-bottom-color:var(--line);padding:.45rem .5rem}
.row[aria-current=true]{border-color:var(--accent);border-radius:.35rem}
.head{display:flex;gap:.5rem;align-items:baseline;cursor:default}
.kind{font-weight:600;flex:none}
.brief{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--soft);flex:1}
.when{color:var(--soft);font-size:.8rem;flex:none}
.failed .kind{color:var(--bad)}
.turn{margin-top:1rem}
.turn .kind{font-size:1.05rem}
.nested{margin-left:1.5rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--field);border-radius:.35rem;padding:.5rem;margin:.4rem 0 0;font:13px/1.45 ui-monospace,monospace;max-height:60vh;overflow:auto}
.text{white-space:pre-wrap;overflow-wrap:anywhere;margin-top:.25rem}
img{max-width:100%;max-height:24rem;display:block;margin-top:.4rem}
.match .head{background:var(--mark);color:var(--markInk)}
.match .brief,.match .when{color:inherit}
footer{color:var(--soft);font-size:.85rem;padding:0 1rem 2rem;max-width:70rem;margin:0 auto}
kbd{border:1px solid var(--line);border-radius:.25rem;padding:0 .25rem;font:12px ui-monospace,monospace}
@media print{header{position:static}.tools{display:none}}
`;
