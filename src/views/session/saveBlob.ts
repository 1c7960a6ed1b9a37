/** Milliseconds the browser has to begin the download before its address is let go. */
const KEEP_ADDRESS_MS = 30_000;

/** Hands a file to the person through the browser's own download. */
export function saveBlob(name: string, contents: Blob): void {
  const address = URL.createObjectURL(contents);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEEP_ADDRESS_MS);
}
