const ESCAPE = "\u001B";
const STYLES = new RegExp(`${ESCAPE}\\[[\\d;?]*[A-Za-z]`, "g");

/** What a terminal would show in the end: without colours, and of a line that is written over its last state. */
export function plainText(text: string): string {
  const plain = text.includes(ESCAPE) ? text.replaceAll(STYLES, "") : text;
  return plain.includes("\r") ? plain.split("\n").map(lastState).join("\n") : plain;
}

function lastState(line: string): string {
  // One at the end goes to the line's beginning, where nothing is written any more.
  const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
  return whole.slice(whole.lastIndexOf("\r") + 1);
}
