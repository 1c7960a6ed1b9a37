/**
 * What an exported page runs: it reads the log the page carries and shows it in rows, a window of them at a time. Texts of
 * the session only ever become text nodes. Plain script, as the page stands alone; nothing of the project is in it.
 */
export const pageScript = String.raw`
"use strict";
(function () {
  var CHUNK = 50;
  var carried = JSON.parse(document.getElementById("log").textContent);
  var sessions = carried.sessions, blobs = carried.blobs || {};
  var list = document.querySelector("main"), find = document.getElementById("find"), count = document.getElementById("count");
  var rows = [], matches = [], current = -1, matchAt = -1, open = new Set(), chunks = [], matched = new Set();

  function bytesOf(hash) { var text = blobs[hash]; return text === undefined ? undefined : Uint8Array.from(atob(text), function (c) { return c.charCodeAt(0); }); }
  function plain(value) {
    if (typeof value === "string") return value;
    if (value && typeof value === "object" && typeof value.$blob === "string") {
      var bytes = bytesOf(value.$blob);
      return bytes ? new TextDecoder().decode(bytes) : (value.head || "") + "…";
    }
    return JSON.stringify(value, function (key, inner) { return inner && typeof inner === "object" && typeof inner.$blob === "string" ? plain(inner) : inner; }, 2);
  }
  function row(kind, event, brief, parts, more) {
    rows.push(Object.assign({ kind: kind, at: event.meta && event.meta.time !== "missing" ? event.meta.at : "", brief: brief, parts: parts, className: "" }, more || {}));
  }
  function oneLine(text) { return String(text).replace(/\s+/g, " ").slice(0, 200); }
  function images(value, into) {
    if (!value || typeof value !== "object") return into;
    if (value.type === "image" && typeof value.mediaType === "string") into.push(value);
    Object.keys(value).forEach(function (key) { images(value[key], into); });
    return into;
  }
  function callParts(action, result) {
    var parts = [{ label: "Arguments", text: plain(action.inputText !== undefined ? action.inputText : action.input) }];
    if (result) {
      if (result.error) parts.push({ label: result.error.code, text: result.error.message });
      if (!result.error || plain(result.result.output) !== result.error.message) parts.push({ label: "Result", text: plain(result.result.output) });
      (result.changes || []).forEach(function (change) { parts.push({ label: (change.after === undefined ? "deleted " : change.before === undefined ? "added " : "changed ") + change.path }); });
      images(result.result.output, []).forEach(function (image) { parts.push({ image: image }); });
    }
    return parts;
  }
  function firstMessage(events) {
    var found = events.find(function (event) { return event.type === "message.received"; });
    return found ? oneLine(plain(found.data.message)).slice(0, 80) : "";
  }
  function subject(input) {
    var names = ["path", "file_path", "filePath", "pattern", "globPattern", "command", "cmd", "query", "url", "prompt"];
    for (var i = 0; i < names.length; i++) { var value = input && input[names[i]]; if (typeof value === "string") return oneLine(value); if (Array.isArray(value)) return oneLine(value.join(" ")); }
    return "";
  }
  function add(events, depth) {
    var results = {}, turn = 0, nested = depth > 0 ? "nested" : "";
    events.forEach(function (event) { if (event.type === "action.result") results[event.data.result.callId] = event.data; });
    events.forEach(function (event, index) {
      var data = event.data || {}, put = function (kind, brief, parts, className, isStep) {
        row(kind, event, brief, parts, { className: [nested, className || ""].join(" "), isStep: !!isStep, id: depth === 0 ? "e" + index : "" });
      };
      switch (event.type) {
        case "turn.started": turn++; put("Turn " + turn, "", [], "turn", true); break;
        case "message.received": put("Person", oneLine(data.message), [{ text: plain(data.message), prose: true }].concat(images(data.parts || [], []).map(function (image) { return { image: image }; }))); break;
        case "step.started": put("Step " + (data.stepIndex + 1), data.modelId, [], "", true); break;
        case "reasoning.completed": put("Reasoning", oneLine(plain(data.reasoning)), [{ text: plain(data.reasoning), prose: true }]); break;
        case "message.completed": put("Agent", oneLine(plain(data.message)), [{ text: plain(data.message), prose: true }]); break;
        case "actions.requested":
          data.actions.forEach(function (action) {
            var result = results[action.callId], failed = result && result.status !== "completed";
            put(action.toolName, subject(action.input) + (result ? result.stub ? " · stub" : failed ? " · " + result.status : "" : " · no result"), callParts(action, result), failed ? "failed" : "");
            var inner = result && result.result.output && result.result.output.events;
            if (Array.isArray(inner)) add(inner, depth + 1);
          });
          break;
        case "step.failed": case "turn.failed": case "session.failed": put("Failed", oneLine(data.message), [{ label: data.code, text: data.message }], "failed"); break;
        case "turn.cancelled": put("Cancelled", "", [], "failed"); break;
        case "input.resolved": put("Answered", data.resolutions.map(function (each) { return each.outcome; }).join(", "), [{ text: plain(data.resolutions) }]); break;
        case "tree.changed": put("Files changed", data.reason, data.changes.map(function (change) { return { label: change.path }; })); break;
        case "compaction.completed": put("Summary", oneLine(plain(data.summary || "")), [{ text: plain(data.summary || ""), prose: true }]); break;
        case "import.entry": put("Entry", data.kind, [{ text: plain(data.raw) }]); break;
        default: break;
      }
    });
  }

  function element(name, className, text) {
    var made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }
  function partElement(part) {
    if (part.image) {
      var bytes = part.image.blob ? blobs[part.image.blob] : part.image.base64;
      if (!bytes || !/^image\/(png|jpeg|gif|webp)$/.test(part.image.mediaType)) return element("p", "facts", "[image: " + part.image.mediaType + "]");
      var image = element("img"); image.alt = "image of the session"; image.src = "data:" + part.image.mediaType + ";base64," + bytes; return image;
    }
    var box = element("div");
    if (part.label) box.append(element("div", "facts", part.label));
    if (part.text !== undefined) box.append(element(part.prose ? "div" : "pre", part.prose ? "text" : "", part.text));
    return box;
  }
  function rowElement(index) {
    var data = rows[index], isOpen = open.has(index) !== data.opens;
    var box = element("div", "row " + data.className + (matched.has(index) ? " match" : ""));
    box.id = data.id || ""; box.tabIndex = index === Math.max(current, 0) ? 0 : -1; box.dataset.index = index;
    if (index === current) box.setAttribute("aria-current", "true");
    var head = element("div", "head");
    head.append(element("span", "kind", data.kind), element("span", "brief", isOpen && data.parts[0] && data.parts[0].prose ? "" : data.brief), element("time", "when", data.at ? data.at.replace("T", " ").replace(/\.\d+Z$/, "") : ""));
    box.append(head);
    if (data.parts.length > 0) { head.setAttribute("role", "button"); head.setAttribute("aria-expanded", String(isOpen)); }
    if (isOpen) data.parts.forEach(function (part) { box.append(partElement(part)); });
    return box;
  }
  function fill(chunk) {
    chunk.box.replaceChildren();
    for (var index = chunk.from; index < chunk.to; index++) chunk.box.append(rowElement(index));
    chunk.box.style.minHeight = ""; chunk.isFull = true;
  }
  var watcher = new IntersectionObserver(function (entries) {
    entries.forEach(function (entry) {
      var chunk = chunks[entry.target.dataset.chunk];
      if (entry.isIntersecting) { if (!chunk.isFull) fill(chunk); }
      else if (chunk.isFull) { var height = chunk.box.offsetHeight; chunk.box.replaceChildren(); chunk.box.style.minHeight = height + "px"; chunk.isFull = false; }
    });
  }, { rootMargin: "1200px 0px" });
  function lay() {
    watcher.disconnect(); list.replaceChildren(); chunks = [];
    for (var from = 0; from < rows.length; from += CHUNK) {
      var box = element("div"); box.dataset.chunk = chunks.length;
      var chunk = { box: box, from: from, to: Math.min(from + CHUNK, rows.length), isFull: false };
      box.style.minHeight = (chunk.to - from) * 44 + "px";
      chunks.push(chunk); list.append(box); watcher.observe(box);
    }
  }
  function again(index) { var chunk = chunks[Math.floor(index / CHUNK)]; if (chunk && chunk.isFull) fill(chunk); }
  function go(index) {
    if (index < 0 || index >= rows.length) return;
    var before = current; current = index;
    var chunk = chunks[Math.floor(index / CHUNK)];
    if (!chunk.isFull) fill(chunk); else again(index);
    if (before >= 0) again(before);
    var box = chunk.box.children[index - chunk.from];
    box.scrollIntoView({ block: "center" }); box.focus({ preventScroll: true });
  }
  function toggle(index) { if (open.has(index)) open.delete(index); else open.add(index); again(index); go(index); }
  function step(by) { for (var index = current + by; index >= 0 && index < rows.length; index += by) if (rows[index].isStep) return go(index); }
  function searchText(data) { return (data.kind + " " + data.brief + " " + data.parts.map(function (part) { return (part.label || "") + " " + (part.text || ""); }).join(" ")).toLowerCase(); }
  function search() {
    var words = find.value.trim().toLowerCase(); matches = []; matchAt = -1;
    if (words !== "") rows.forEach(function (data, index) { if (searchText(data).indexOf(words) >= 0) matches.push(index); });
    matched = new Set(matches);
    count.textContent = words === "" ? "" : matches.length === 1 ? "1 row" : matches.length + " rows";
    chunks.forEach(function (chunk) { if (chunk.isFull) fill(chunk); });
  }
  function match(by) {
    if (matches.length === 0) return;
    matchAt = (matchAt + by + matches.length) % matches.length;
    count.textContent = matchAt + 1 + " of " + matches.length; go(matches[matchAt]);
  }
  function show(session) {
    rows = []; open = new Set(); current = -1; matches = [];
    add(session.events, 0);
    rows.forEach(function (data) { data.opens = data.kind === "Person" || data.kind === "Agent"; });
    lay(); search();
    var wanted = /^#e(\d+)$/.exec(location.hash), at = wanted ? rows.findIndex(function (data) { return data.id === "e" + wanted[1]; }) : -1;
    if (at >= 0) go(at);
  }

  var choose = document.getElementById("session");
  sessions.forEach(function (session, index) { var option = element("option", "", session.title || firstMessage(session.events) || session.id); option.value = index; choose.append(option); });
  choose.hidden = sessions.length < 2;
  choose.addEventListener("change", function () { show(sessions[choose.value]); });
  find.addEventListener("input", search);
  list.addEventListener("click", function (event) {
    if (String(getSelection()) !== "") return;
    var box = event.target.closest(".row"); if (box && event.target.closest(".head")) toggle(Number(box.dataset.index));
  });
  document.getElementById("all").addEventListener("click", function () {
    var isAny = open.size > 0; open = new Set();
    if (!isAny) rows.forEach(function (data, index) { if (!data.opens && data.parts.length > 0) open.add(index); });
    chunks.forEach(function (chunk) { if (chunk.isFull) fill(chunk); });
  });
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === find) {
      if (event.key === "Enter") { match(event.shiftKey ? -1 : 1); event.preventDefault(); }
      if (event.key === "Escape") { find.value = ""; search(); find.blur(); }
      return;
    }
    if (/^(INPUT|SELECT|TEXTAREA|BUTTON|A)$/.test(event.target.tagName) && event.key !== "/") return;
    var keys = {
      j: function () { go(current + 1); }, ArrowDown: function () { go(current + 1); },
      k: function () { go(current - 1); }, ArrowUp: function () { go(current - 1); },
      "]": function () { step(1); }, "[": function () { step(-1); },
      n: function () { match(1); }, N: function () { match(-1); },
      Home: function () { go(0); }, End: function () { go(rows.length - 1); },
      "/": function () { find.focus(); }, Enter: function () { if (current >= 0) toggle(current); },
    };
    if (Object.prototype.hasOwnProperty.call(keys, event.key)) { keys[event.key](); event.preventDefault(); }
  });
  addEventListener("hashchange", function () { show(sessions[choose.value || 0]); });
  if (sessions.length > 0) show(sessions[0]);
})();
`;
