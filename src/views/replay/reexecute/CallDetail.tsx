import type { ComparedFile, ReexecutedCall } from "../../../trajectory";
import { Button } from "../../widgets/Button";
import { DiffLines, type DiffLine } from "../../widgets/DiffLines";
import { Tag } from "../../widgets/Tag";
import { classLooks, placeText } from "./classLooks";

export interface CallDetailProps {
  readonly call: ReexecutedCall;
  readonly lines: readonly DiffLine[];
  readonly onChoose: (number: number) => void;
  readonly onGoTo?: (eventIndex: number) => void;
}

/** What a call was recorded with and what it came to now. */
export function CallDetail({ call, lines, onChoose, onGoTo }: CallDetailProps) {
  const { difference, files = [], followsFrom, normalisers = [], why } = call;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by key
    <section className="report-detail scroll" aria-label={`Call ${call.number}`} tabIndex={0}>
      <div className="report-detail-head">
        <Tag tone={classLooks[call.class].tone}>{call.class}</Tag>
        <b>{call.toolName}</b>
        <span className="mono report-subject">{call.subject}</span>
        {onGoTo === undefined ? null : (
          <Button size="small" className="push-right" keys="Enter" onClick={() => onGoTo(call.eventIndex)}>
            {`Go to event ${call.eventIndex + 1}`}
          </Button>
        )}
      </div>
      <p className="dim">{why ?? classLooks[call.class].about}</p>
      {call.ranAs === undefined || call.ranAs === call.toolName ? null : (
        <p className="dim">{`Our ${call.ranAs} stood in for it.`}</p>
      )}
      {call.answered === undefined ? null : (
        <p className="dim">{`A person had ${call.answered} it; that was replayed.`}</p>
      )}
      {normalisers.length === 0 ? null : <p className="dim">{`Normalisers needed: ${normalisers.join(", ")}.`}</p>}
      {followsFrom === undefined ? null : (
        <p>
          It follows from{" "}
          <button type="button" className="link-button" onClick={() => onChoose(followsFrom)}>
            {`#${followsFrom}`}
          </button>
          .
        </p>
      )}
      {difference === undefined ? null : (
        <>
          <p>
            Where: <span className="mono">{placeText(call)}</span>
          </p>
          <div className="report-sides">
            <Side title="Recorded" text={difference.expected} />
            <Side title="Now" text={difference.actual} />
          </div>
          {difference.expected === undefined || difference.actual === undefined ? null : (
            <div className="report-diff">
              <DiffLines lines={lines} context={3} />
            </div>
          )}
        </>
      )}
      {files.length === 0 ? null : <Files files={files} />}
    </section>
  );
}

function Side({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  return (
    <figure className="report-side">
      <figcaption className="dim small">{title}</figcaption>
      {text === undefined ? (
        <p className="dim">nothing</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by key
        <pre className="mono scroll" tabIndex={0} aria-label={title}>
          {text}
        </pre>
      )}
    </figure>
  );
}

const FILE_TONES = { equal: "ok", differs: "bad", extra: "bad", missing: "bad" } as const;

function Files({ files }: { readonly files: readonly ComparedFile[] }) {
  return (
    <table className="report-files">
      <caption className="visually-hidden">Files the call changed, by hash</caption>
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">Is</th>
          <th scope="col">Recorded</th>
          <th scope="col">Now</th>
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <tr key={file.path}>
            <td className="mono report-path">{file.path}</td>
            <td>
              <Tag tone={FILE_TONES[file.class]}>{file.class}</Tag>
            </td>
            <td className="mono dim">{hashText(file.expected)}</td>
            <td className="mono dim">{hashText(file.actual)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function hashText(hash: string | undefined): string {
  return hash === undefined ? "not there" : hash.slice(0, 12);
}
