import { useState } from "react";
import type { JsonValue } from "../../base";
import { byteText } from "../widgets/byteText";
import { Dialog } from "../widgets/Dialog";
import { useLoaded } from "./useLoaded";
import { useSessionLook } from "./useSessionState";
import "./sessionImages.css";

/** Images shown of one message or result. */
const SHOWN_IMAGES = 12;

/** How deep images are looked for: results hold them among their parts. */
const SEARCHED_DEPTH = 4;

interface KeptImage {
  readonly blob: string;
  readonly mediaType: string;
  readonly sizeBytes?: number;
}

/** The images of a message or a result, small; a click shows one as large as it is. */
export function SessionImages({ of }: { readonly of: JsonValue | undefined }) {
  const images = keptImages(of);
  if (images.length === 0) return null;
  return (
    <ul className="session-images" aria-label="Images">
      {images.slice(0, SHOWN_IMAGES).map((image, at) => (
        // One image may stand there twice.
        <li key={`${image.blob}/${at}`}>
          <Thumbnail image={image} name={images.length === 1 ? "Image" : `Image ${at + 1}`} />
        </li>
      ))}
      {images.length > SHOWN_IMAGES ? <li className="small dim">{`${images.length - SHOWN_IMAGES} more`}</li> : null}
    </ul>
  );
}

function Thumbnail({ image, name }: { readonly image: KeptImage; readonly name: string }) {
  const imageFromBlob = useSessionLook((state) => state.imageFromBlob);
  const loaded = useLoaded(image.blob, () => imageFromBlob(image.blob));
  const [open, setOpen] = useState(false);
  const words = [image.mediaType, ...(image.sizeBytes === undefined ? [] : [byteText(image.sizeBytes)])].join(", ");
  const address = loaded.state === "loaded" ? loaded.value : undefined;
  if (address === undefined) {
    return (
      <span className="session-image small dim">{loaded.state === "loading" ? "…" : `${words}: not to be shown`}</span>
    );
  }
  return (
    <>
      <button
        type="button"
        className="session-image"
        aria-label={`${name}, ${words}: enlarge`}
        onClick={(event) => {
          event.stopPropagation();
          setOpen(true);
        }}
      >
        <img src={address} alt="" />
      </button>
      {open ? (
        <Dialog open onClose={() => setOpen(false)} title={name} description={words} width={960}>
          <img className="session-image-whole" src={address} alt={name} />
        </Dialog>
      ) : null}
    </>
  );
}

function keptImages(value: JsonValue | undefined, depth = SEARCHED_DEPTH): readonly KeptImage[] {
  if (depth < 0 || value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((one) => keptImages(one, depth - 1));
  const part = value as { readonly [name: string]: JsonValue | undefined };
  const { type, blob, mediaType, sizeBytes } = part;
  if (type === "image" && typeof blob === "string") {
    const kind = typeof mediaType === "string" ? mediaType : "image";
    return [{ blob, mediaType: kind, ...(typeof sizeBytes === "number" ? { sizeBytes } : {}) }];
  }
  return Object.values(part).flatMap((one) => keptImages(one, depth - 1));
}
