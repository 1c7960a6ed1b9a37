import { ImportFoot } from "../session/ImportFoot";

/** Where recordings come in: dropped, chosen or pasted, a file or a folder, or from an address. */
export function ImportBox({ onImported }: { readonly onImported: (sessionId: string) => void }) {
  return (
    <div className="import-box">
      <p>Drop or paste a recording of any agent here: a file, a folder or a zip.</p>
      <ImportFoot onImported={onImported} />
    </div>
  );
}
