/** Arguments a person is changing before they approve a call, by field. They outlive a reload, not the tab. */
export type ApprovalDraft = Readonly<Record<string, string>>;

const PREFIX = "rootscope-approval/";

export const approvalDrafts = {
  get(key: string): ApprovalDraft | undefined {
    try {
      const text = sessionStorage.getItem(PREFIX + key);
      return text === null ? undefined : (JSON.parse(text) as ApprovalDraft);
    } catch {
      // Storage refused, or something else wrote there: nothing is kept.
      return undefined;
    }
  },
  keep(key: string, draft: ApprovalDraft): void {
    try {
      sessionStorage.setItem(PREFIX + key, JSON.stringify(draft));
    } catch {
      // It stays in the form.
    }
  },
  drop(key: string): void {
    try {
      sessionStorage.removeItem(PREFIX + key);
    } catch {
      // Nothing was kept.
    }
  },
};
