import type { WebSearchResult } from "./webText";

/** Recorded results: pages that exist, each with a sentence on what it says. What the sample project is about comes first. */
export const WEB_FIXTURE: readonly WebSearchResult[] = [
  {
    title: "IDBDatabase: close event - Web APIs | MDN",
    url: "https://developer.mozilla.org/en-US/docs/Web/API/IDBDatabase/close_event",
    snippet:
      "Fired when an IndexedDB connection is closed unexpectedly, for example when its storage is removed or a person clears " +
      "the site's data. It is not fired when the page itself calls close(): reopen the database when it comes.",
  },
  {
    title: "IDBDatabase: versionchange event - Web APIs | MDN",
    url: "https://developer.mozilla.org/en-US/docs/Web/API/IDBDatabase/versionchange_event",
    snippet:
      "Fired on open IndexedDB connections when another tab asks for a new version of the database, or deletes it. A page " +
      "that does not close its connection then blocks the upgrade.",
  },
  {
    title: "Using IndexedDB - Web APIs | MDN",
    url: "https://developer.mozilla.org/en-US/docs/Web/API/IndexedDB_API/Using_IndexedDB",
    snippet:
      "Opening a database, object stores, transactions and indexes, and what to do when the web app is open in another tab.",
  },
  {
    title: "Indexed Database API 3.0",
    url: "https://w3c.github.io/IndexedDB/",
    snippet:
      "The specification of IndexedDB: connections, transactions and their durability, upgrades, and the steps by which a " +
      "browser closes a database connection.",
  },
  {
    title: "idb-keyval",
    url: "https://github.com/jakearchibald/idb-keyval",
    snippet: "A small library that keeps key-value pairs in IndexedDB, with promises and custom stores.",
  },
  {
    title: "Keep a Changelog",
    url: "https://keepachangelog.com/en/1.1.0/",
    snippet:
      "How to write a changelog for humans: one entry a version, newest first, changes grouped by kind, and an Unreleased " +
      "section at the top for what is to come.",
  },
  {
    title: "Semantic Versioning 2.0.0",
    url: "https://semver.org/spec/v2.0.0.html",
    snippet: "MAJOR.MINOR.PATCH: which number of a version to raise for an incompatible change, a new feature, a fix.",
  },
  {
    title: "Cross-Origin Resource Sharing (CORS) - HTTP | MDN",
    url: "https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CORS",
    snippet:
      "How a server lets pages of other origins read its answers: Access-Control-Allow-Origin, preflight requests, exposed " +
      "headers, and requests with credentials.",
  },
  {
    title: "Transports - Model Context Protocol",
    url: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports",
    snippet:
      "MCP over streamable HTTP: one endpoint for POST and GET, answers as JSON or a stream of events, sessions by the " +
      "Mcp-Session-Id header, and how a client starts a new session after a 404.",
  },
  {
    title: "Authorization - Model Context Protocol",
    url: "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization",
    snippet:
      "OAuth for MCP servers: protected resource metadata, discovery of the authorization server, registration of clients, " +
      "PKCE and resource indicators.",
  },
];
