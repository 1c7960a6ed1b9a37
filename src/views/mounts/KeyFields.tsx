import { DraftText } from "./DraftText";
import type { MountForm } from "./mountForm";

/** What signs requests to a store; it is never read back into a field. */
export function KeyFields({ form }: { readonly form: MountForm }) {
  const { kind, access, user } = form.draft;
  if (kind === "webdav") {
    if (user.trim() === "") return null;
    return (
      <>
        <DraftText form={form} field="password" label={`Password of ${user.trim()}`} type="password" />
        <KeyNote />
      </>
    );
  }
  if (access === "public") return null;
  return (
    <>
      <div className="field-triple">
        <DraftText form={form} field="accessKeyId" label="Access key" />
        <DraftText form={form} field="secretAccessKey" label="Secret key" type="password" />
        <DraftText form={form} field="sessionToken" label="Session token" type="password" placeholder="if it has one" />
      </div>
      <KeyNote />
    </>
  );
}

function KeyNote() {
  return (
    <p className="small dim">
      Held in this tab's memory only: never saved, never exported, and asked for again after a reload.
    </p>
  );
}
