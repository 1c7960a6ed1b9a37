import { useRef, useState, type ReactNode } from "react";
import { shownName, type MountKind } from "../../store";
import { Button } from "../widgets/Button";
import { byteText } from "../widgets/byteText";
import { Field, type FieldProps } from "../widgets/Field";
import { bucketRules, CorsRules, webdavRules } from "./CorsRules";
import { DraftText } from "./DraftText";
import { KeyFields } from "./KeyFields";
import type { MountForm } from "./mountForm";

interface FieldsProps {
  readonly form: MountForm;
}

/** The fields that say where the files of a mount come from: those of its kind, and no others. */
export function SourceFields({ form }: FieldsProps) {
  const Fields = FIELDS[form.draft.kind];
  return Fields && <Fields form={form} />;
}

/** What a store must be told before it can be one of the page's mounts. */
export function SourceNeeds({ form }: FieldsProps) {
  const { kind } = form.draft;
  if (kind === "s3") return <CorsRules who="The bucket" rules={bucketRules(location.origin)} />;
  return kind === "webdav" ? <CorsRules who="The server" rules={webdavRules(location.origin)} /> : null;
}

function AddressFields({ form }: FieldsProps) {
  return (
    <DraftText
      form={form}
      field="url"
      label="Address"
      inputMode="url"
      placeholder="https://example.org/files.zip"
      hint="Its server must let other pages read it (CORS). zip, tar and tar.gz are unpacked."
    />
  );
}

function PackageFields({ form }: FieldsProps) {
  return (
    <DraftText
      form={form}
      field="package"
      label="Package"
      placeholder="zod"
      hint="zod, or one version of it: zod@4.0.0. Without a version, the latest."
    />
  );
}

interface ChosenFieldProps {
  readonly label: string;
  /** What was chosen; absent while nothing is. */
  readonly chosen: string | undefined;
  readonly choose: () => void;
  readonly problem: string | undefined;
}

/** Something that is chosen in a window of the browser's own. */
function ChosenField({ label, chosen, choose, problem }: ChosenFieldProps) {
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <div className="chosen-field">
        <Button onClick={choose} aria-invalid={problem !== undefined}>
          {chosen === undefined ? "Choose…" : "Choose another…"}
        </Button>
        <span className={chosen === undefined ? "dim" : "mono truncate"}>{chosen ?? "nothing chosen yet"}</span>
      </div>
      {problem === undefined ? null : (
        <p className="bad small" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

type Picker = (options: { readonly mode: "read" | "readwrite" }) => Promise<FileSystemDirectoryHandle>;

function FolderField({ form }: FieldsProps) {
  const { draft, mount } = form;
  const [refused, setRefused] = useState<string>();
  const kept = mount?.source.kind === "folder" ? mount.source.name : undefined;
  const choose = async () => {
    const { showDirectoryPicker } = window as unknown as { readonly showDirectoryPicker?: Picker };
    setRefused(undefined);
    try {
      const folder = await showDirectoryPicker?.({ mode: draft.readOnly === true ? "read" : "readwrite" });
      if (folder) form.change({ folder });
    } catch (error) {
      // A person who closes the browser's window has chosen nothing.
      if (error instanceof DOMException && error.name === "AbortError") return;
      setRefused(error instanceof Error ? error.message : String(error));
    }
  };
  const name = draft.folder?.name ?? kept;
  return (
    <ChosenField
      label="Folder"
      chosen={name === undefined ? undefined : shownName(name)}
      choose={() => void choose()}
      problem={refused ?? form.problem("folder")}
    />
  );
}

function ArchiveField({ form }: FieldsProps) {
  const { draft, mount } = form;
  const input = useRef<HTMLInputElement>(null);
  const kept = mount?.source.kind === "archive" ? mount.source.fileName : undefined;
  const chosen = draft.file ? `${shownName(draft.file.name)} · ${byteText(draft.file.size)}` : kept && shownName(kept);
  return (
    <>
      <ChosenField
        label="Archive"
        chosen={chosen}
        choose={() => input.current?.click()}
        problem={form.problem("file")}
      />
      <input
        ref={input}
        type="file"
        accept=".zip,.tar,.tgz,.gz"
        className="visually-hidden"
        aria-label="Archive to mount"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) form.change({ file });
          event.target.value = "";
        }}
      />
    </>
  );
}

function BucketFields({ form }: FieldsProps) {
  const { draft, change } = form;
  return (
    <>
      <DraftText
        form={form}
        field="endpoint"
        label="Address of the store"
        inputMode="url"
        placeholder="https://s3.eu-central-1.amazonaws.com"
      />
      <div className="field-pair">
        <DraftText form={form} field="bucket" label="Bucket" />
        <DraftText form={form} field="bucketFolder" label="Folder in it" placeholder="all of it" />
      </div>
      <div className="field-triple">
        <DraftText form={form} field="region" label="Region" />
        <Choice
          label="Bucket's name"
          value={draft.addressing}
          choices={[
            { value: "path", label: "in the path" },
            { value: "virtual-host", label: "before the host" },
          ]}
          onChange={(addressing) => change({ addressing })}
        />
        <Choice
          label="Access"
          value={draft.access}
          choices={[
            { value: "keys", label: "with a key" },
            { value: "public", label: "public, no key" },
          ]}
          onChange={(access) => change({ access })}
        />
      </div>
      <KeyFields form={form} />
    </>
  );
}

function WebdavFields({ form }: FieldsProps) {
  return (
    <>
      <DraftText
        form={form}
        field="webdavUrl"
        label="Address of the folder"
        inputMode="url"
        placeholder="https://dav.example.org/files"
      />
      <DraftText form={form} field="user" label="User" placeholder="nobody signs in" />
      <KeyFields form={form} />
    </>
  );
}

function OverlayFields({ form }: FieldsProps) {
  const { draft, others } = form;
  // One that was removed is no choice any more.
  const there = (id: string) => (others.some((other) => other.id === id) ? id : "");
  const choices = [
    { value: "", label: "choose a mount" },
    ...others.map(({ id, prefix }) => ({ value: id, label: shownName(prefix) })),
  ];
  return (
    <div className="field-pair">
      <Choice
        label="Upper"
        hint="What it has is what is seen."
        value={there(draft.upper)}
        choices={choices}
        error={form.problem("upper")}
        onChange={(upper) => form.change({ upper })}
      />
      <Choice
        label="Lower"
        hint="Seen where the upper has nothing."
        value={there(draft.lower)}
        choices={choices}
        error={form.problem("lower")}
        onChange={(lower) => form.change({ lower })}
      />
    </div>
  );
}

const FIELDS: { readonly [Kind in MountKind]?: (props: FieldsProps) => ReactNode } = {
  folder: FolderField,
  archive: ArchiveField,
  address: AddressFields,
  package: PackageFields,
  s3: BucketFields,
  webdav: WebdavFields,
  overlay: OverlayFields,
};

interface ChoiceProps<Value extends string> extends Pick<FieldProps, "label" | "hint" | "error"> {
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ value, choices, onChange, ...field }: ChoiceProps<Value>) {
  return (
    <Field {...field}>
      {(ties) => (
        <select
          className="input"
          value={value}
          {...ties}
          onChange={({ target }) => {
            const chosen = choices[target.selectedIndex];
            if (chosen) onChange(chosen.value);
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
