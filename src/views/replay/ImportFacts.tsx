import type { ImportWarning, SessionEventOf } from "../../session";
import { fidelityWords, formatName } from "../../store";

/** Warnings shown; a broken file has one a line. */
const SHOWN_WARNINGS = 200;

/** Which file a session was read from, how much of what happened it tells, and what of it was lost. */
export function ImportFacts({ source }: { readonly source: SessionEventOf<"import.source"> }) {
  const { format, version, sha256, fileName, fidelity, warnings, session } = source.data;
  return (
    <>
      <Fact name="Format">{`${formatName(format)}${version === "" ? "" : `, version ${version}`}`}</Fact>
      {fileName === undefined || fileName === "" ? null : <Fact name="File">{fileName}</Fact>}
      <Fact name="SHA-256">
        <span className="mono">{sha256}</span>
      </Fact>
      {session.cwd === undefined ? null : (
        <Fact name="Directory">
          <span className="mono">{session.cwd}</span>
        </Fact>
      )}
      {session.branch === undefined ? null : <Fact name="Branch">{session.branch}</Fact>}
      {fidelityWords(fidelity).map(([side, words]) => (
        <Fact key={side} name={side}>
          {words}
        </Fact>
      ))}
      <Fact name="Warnings">
        {warnings.length === 0 ? "none: everything in the file was read" : <Warnings warnings={warnings} />}
      </Fact>
    </>
  );
}

function Warnings({ warnings }: { readonly warnings: readonly ImportWarning[] }) {
  const more = warnings.length - SHOWN_WARNINGS;
  return (
    <ul className="import-warnings">
      {warnings.slice(0, SHOWN_WARNINGS).map((warning, at) => (
        // Two warnings may be alike; nothing but their order tells those apart.
        <li key={at}>
          <span className="warn">{warning.message}</span>
          <span className="small dim numeric">{placeWords(warning)}</span>
        </li>
      ))}
      {more > 0 ? <li className="dim">{`${more.toLocaleString("en")} more`}</li> : null}
    </ul>
  );
}

function placeWords({ file, line, byteOffset, jsonPointer, kept }: ImportWarning): string {
  return [
    ...(file === undefined ? [] : [file]),
    ...(line === undefined ? [] : [`line ${line.toLocaleString("en")}`]),
    ...(byteOffset === undefined ? [] : [`byte ${byteOffset.toLocaleString("en")}`]),
    ...(jsonPointer === undefined || jsonPointer === "" ? [] : [jsonPointer]),
    ...(kept === true ? ["kept raw"] : []),
  ].join(" · ");
}

export interface FactProps {
  readonly name: string;
  readonly mono?: boolean;
  readonly children: React.ReactNode;
}

export function Fact({ name, mono = false, children }: FactProps) {
  return (
    <div className="fact">
      <dt className="dim">{name}</dt>
      <dd className={mono ? "mono" : ""}>{children}</dd>
    </div>
  );
}
