import {
  Archive,
  Cloud,
  Database,
  Folder,
  Layers,
  Link,
  MemoryStick,
  Package,
  Server,
  SquareTerminal,
  type LucideIcon,
} from "lucide-react";
import type { MountKind } from "../../store";

/** How a kind of mount is named and told, wherever it is. */
export interface KindLook {
  readonly kind: MountKind;
  readonly icon: LucideIcon;
  /** Among the kinds to choose from. */
  readonly label: string;
  /** In the mount table. */
  readonly word: string;
  /** What it is, in a sentence or two. */
  readonly about: string;
}

export interface KindGroup {
  readonly title: string;
  readonly kinds: readonly KindLook[];
}

export const kindGroups: readonly KindGroup[] = [
  {
    title: "In this browser",
    kinds: [
      {
        kind: "idb",
        icon: Database,
        label: "IndexedDB",
        word: "IndexedDB",
        about: "In this browser's IndexedDB: it stays until you delete it.",
      },
      {
        kind: "memory",
        icon: MemoryStick,
        label: "Memory",
        word: "memory",
        about: "In memory: it begins anew each time the page loads.",
      },
      {
        kind: "host",
        icon: SquareTerminal,
        label: "Host disk",
        word: "host disk",
        about:
          "The disk of the in-page host, in this browser's IndexedDB: agents on the host work on it, and commands of the terminal run there.",
      },
    ],
  },
  {
    title: "Brought in once",
    kinds: [
      {
        kind: "archive",
        icon: Archive,
        label: "Archive file",
        word: "archive",
        about: "The files of a zip, tar or tar.gz of this computer. They are unpacked into this browser and stay.",
      },
      {
        kind: "address",
        icon: Link,
        label: "Address",
        word: "address",
        about: "A file, or the files of an archive, at a URL. It is fetched into this browser, and again when you ask.",
      },
      {
        kind: "package",
        icon: Package,
        label: "Package",
        word: "package",
        about:
          "The files of a public npm package. They are fetched into this browser from registry.npmjs.org and checked against its hash.",
      },
    ],
  },
  {
    title: "Where it lies",
    kinds: [
      {
        kind: "folder",
        icon: Folder,
        label: "Folder on this computer",
        word: "folder",
        about:
          "A folder of this computer, read and written in its place. The browser asks you for it, and again after each reload. SemanticSearch covers up to 2,000 files (32 MB) of it, else what was read.",
      },
      {
        kind: "s3",
        icon: Cloud,
        label: "S3 bucket",
        word: "S3",
        about:
          "A bucket of any S3-compatible store, read and written in its place. A file that others changed meanwhile is not written over. SemanticSearch covers up to 2,000 files (32 MB) of it, else what was read.",
      },
      {
        kind: "webdav",
        icon: Server,
        label: "WebDAV folder",
        word: "WebDAV",
        about:
          "A folder of a WebDAV server, read and written in its place. A file that others changed meanwhile is not written over. SemanticSearch covers up to 2,000 files (32 MB) of it, else what was read.",
      },
    ],
  },
  {
    title: "Made of others",
    kinds: [
      {
        kind: "overlay",
        icon: Layers,
        label: "Overlay of two",
        word: "overlay",
        about:
          "Two mounts of this table laid over one another, for reading: a file of the upper hides the one of the same path in the lower.",
      },
    ],
  },
];

const looks = new Map(kindGroups.flatMap(({ kinds }) => kinds.map((look) => [look.kind, look] as const)));

export function kindLook(kind: MountKind): KindLook {
  const look = looks.get(kind);
  if (!look) throw new Error(`no words for mounts of kind ${kind}`);
  return look;
}
