import { ImportFoot } from "../session/ImportFoot";

/** Where recordings come in: dropped, chosen or pasted, a file or a folder, or from an address. */
export function ImportBox({ onImported }: { readonly onImported: (sessionId: string) => void }) {
  return (
    <div className="import-box">
      <p>
        Drop a recording here, of any agent: a file, a folder or a zip. <span className="dim">Or paste it.</span>
      </p>
      <ImportFoot onImported={onImported} />
    </div>
  );
}
