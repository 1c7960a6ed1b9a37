import { useCopy } from "../session/useCopy";
import { Button } from "../widgets/Button";

export interface CorsRulesProps {
  /** Who has to have them, e.g. `The bucket`. */
  readonly who: string;
  readonly rules: string;
}

/** What a server must be told before a page may use it, to be copied there. */
export function CorsRules({ who, rules }: CorsRulesProps) {
  const { copied, copy } = useCopy();
  return (
    <div className="cors-rules">
      <div className="cors-words">
        <p className="small muted">{`${who} must let this page in (CORS). Its rules:`}</p>
        <Button size="small" className="push-right" title="Copy the rules" onClick={() => copy(rules)}>
          {copied ? "Copied" : "Copy"}
        </Button>
      </div>
      <pre className="cors-text mono">{rules}</pre>
    </div>
  );
}

/** The rules of a bucket, as S3 takes them (docs/filesystem.md, section 4). */
export function bucketRules(origin: string): string {
  return `[
  {
    "AllowedOrigins": ["${origin}"],
    "AllowedMethods": ["GET", "HEAD", "PUT", "DELETE"],
    "AllowedHeaders": ["*"],
    "ExposeHeaders": ["ETag"]
  }
]`;
}

/** The headers of a WebDAV server (docs/filesystem.md, section 4). */
export function webdavRules(origin: string): string {
  return `Access-Control-Allow-Origin: ${origin}
Access-Control-Allow-Methods: GET, PUT, DELETE, PROPFIND, MKCOL, MOVE
Access-Control-Allow-Headers: authorization, content-type, depth, destination, if-match, if-none-match, overwrite
Access-Control-Expose-Headers: ETag`;
}
