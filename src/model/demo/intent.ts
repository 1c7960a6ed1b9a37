/** One thing asked for, in the planner's own small vocabulary (docs/models.md, Grammar). */
export type Intent =
  | { readonly kind: "list"; readonly path: string | undefined }
  /** Without paths: the file spoken of last. */
  | { readonly kind: "read"; readonly paths: readonly string[] }
  | {
      readonly kind: "find";
      /** A regular expression. */
      readonly pattern: string;
      /** The pattern in a person's words. */
      readonly label: string;
      readonly path: string | undefined;
      readonly caseInsensitive: boolean;
      /** The files are asked for, not the lines. */
      readonly byFile?: boolean;
    }
  | { readonly kind: "findFiles"; readonly glob: string; readonly label: string; readonly path: string | undefined }
  | { readonly kind: "countFiles"; readonly glob: string; readonly label: string; readonly path: string | undefined }
  | {
      readonly kind: "countMatches";
      /** The files counted in, for Grep, and in a person's words. */
      readonly glob?: string;
      readonly languages?: string;
      /** Words of the request that the count does not go by. */
      readonly ignored?: string;
      readonly pattern: string;
      readonly label: string;
      readonly path: string | undefined;
      readonly caseInsensitive: boolean;
    }
  | { readonly kind: "renameSymbol"; readonly from: string; readonly to: string; readonly path: string | undefined }
  | {
      readonly kind: "moveFile";
      readonly from: string;
      readonly to: string;
      readonly keep: boolean;
      /** `to` is a name alone: the file stays in its folder. */
      readonly beside?: boolean;
      /** The person said that a file already there may be replaced. */
      readonly overwrite?: boolean;
    }
  | {
      readonly kind: "replace";
      readonly oldText: string;
      readonly newText: string;
      readonly path: string | undefined;
      readonly all: boolean;
      /** In “it”: the file spoken of last. */
      readonly inLast?: boolean;
    }
  | {
      readonly kind: "fixTodos";
      readonly topic: string;
      /** Every one instead of the best match. */
      readonly all: boolean;
      readonly path: string | undefined;
    }
  | { readonly kind: "create"; readonly path: string; readonly content: Content; readonly overwrite?: boolean }
  | { readonly kind: "append"; readonly path: string; readonly content: Content; readonly atStart: boolean }
  /** Adds an entry to a changelog; without text, what this request changed. */
  | { readonly kind: "note"; readonly path: string | undefined; readonly text: string | undefined }
  /** Without paths: the file spoken of last. */
  | { readonly kind: "delete"; readonly paths: readonly string[] }
  /** Without paths: the definition of `name`, or without that what was read so far. */
  | { readonly kind: "summarise"; readonly paths: readonly string[]; readonly name: string | undefined }
  | { readonly kind: "run"; readonly command: string }
  | { readonly kind: "help" }
  /** To take back what was changed: told, not done. */
  | { readonly kind: "undo" }
  /** Understood but for a part without which it would be a guess; nothing is called. */
  | { readonly kind: "unclear"; readonly why: string; readonly isBeyond?: boolean }
  | { readonly kind: "unknown"; readonly text: string };

/** What a new text is made of. */
export type Content =
  | { readonly from: "text"; readonly text: string }
  | { readonly from: "summary"; readonly path: string | undefined; readonly others?: readonly string[] }
  | { readonly from: "listing"; readonly path: string | undefined }
  | { readonly from: "findings" }
  | { readonly from: "nothing" };
