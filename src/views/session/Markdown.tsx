import { memo, useState, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import { useLoaded } from "./useLoaded";
import { useSessionLook } from "./useSessionState";

/**
 * Model output is data: no raw HTML (it shows as the text it is), images only from the tree, links that do nothing until
 * their whole target has been shown (docs/models.md).
 */
const components: Components = {
  a: ({ href, children }) => <InertLink target={href ?? ""}>{children}</InertLink>,
  img: ({ src, alt }) => <TreeImage source={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
};

export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown components={components} urlTransform={(url) => url}>
        {text}
      </ReactMarkdown>
    </div>
  );
});

/** The first click shows where it leads; only an address of the web can then be followed, in a tab of its own. */
function InertLink({ target, children }: { readonly target: string; readonly children: ReactNode }) {
  const [shown, setShown] = useState(false);
  if (!shown) {
    return (
      <button type="button" className="inert-link" title={target} onClick={() => setShown(true)}>
        {children}
      </button>
    );
  }
  return (
    <>
      {children} <span className="inert-link-target">{`(${target})`}</span>
      {/^https?:\/\//i.test(target) ? (
        <>
          {" "}
          <a href={target} target="_blank" rel="noopener noreferrer nofollow">
            open
          </a>
        </>
      ) : null}
    </>
  );
}

function TreeImage({ source, alt }: { readonly source: string; readonly alt: string }) {
  const imageFromTree = useSessionLook((state) => state.imageFromTree);
  const loaded = useLoaded(source, () => imageFromTree(source));
  if (loaded.state === "loaded" && loaded.value !== undefined) return <img src={loaded.value} alt={alt} />;
  const reason = loaded.state === "loading" ? "loading" : "not an image of the tree, so not loaded";
  return <span className="dim">{`[image ${alt === "" ? source : alt}: ${reason}]`}</span>;
}
