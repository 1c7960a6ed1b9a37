import { createHash, createHmac } from "node:crypto";
import type { S3Credentials } from "./s3Files";

export interface SignedRequest {
  readonly method: string;
  /** As it stands in the request line, percent-encoded. */
  readonly path: string;
  readonly search: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What is wrong with a request's signature, computed anew from the rules (AWS Signature Version 4 for S3), by the code of
 * S3; `undefined` when it is right.
 */
export function signatureProblem(
  request: SignedRequest,
  { accessKeyId, secretAccessKey, sessionToken }: S3Credentials,
  body?: Uint8Array,
): string | undefined {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? "",
    );
  if (match === null) return "AccessDenied";
  const [, keyId, date = "", region = "", signedHeaders = "", signature] = match;
  if (keyId !== accessKeyId) return "InvalidAccessKeyId";
  if (sessionToken !== request.headers["x-amz-security-token"]) return "InvalidToken";
  if (body !== undefined && sha256(body) !== request.headers["x-amz-content-sha256"])
    return "XAmzContentSHA256Mismatch";
  const unsigned = ["host", "x-amz-date", "x-amz-content-sha256", "if-match", "if-none-match"].filter(
    (name) => request.headers[name] !== undefined && !signedHeaders.split(";").includes(name),
  );
  if (unsigned.length > 0) return "AccessDenied";
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope, sha256(canonical(request, signedHeaders))];
  const key = [date, region, "s3", "aws4_request"].reduce<Buffer | string>(
    (current, part) => createHmac("sha256", current).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const expected = createHmac("sha256", key).update(text.join("\n")).digest("hex");
  return expected === signature ? undefined : "SignatureDoesNotMatch";
}

function canonical({ method, path, search, headers }: SignedRequest, signedHeaders: string): string {
  const parameters = search
    .replace(/^\?/, "")
    .split("&")
    .filter(Boolean)
    .map((pair) => {
      const [name = "", value = ""] = pair.split("=");
      return `${encoded(decodeURIComponent(name))}=${encoded(decodeURIComponent(value))}`;
    })
    .toSorted();
  const lines = signedHeaders.split(";").map((name) => `${name}:${(headers[name] ?? "").trim().replace(/ +/g, " ")}\n`);
  const address = path
    .split("/")
    .map((segment) => encoded(decodeURIComponent(segment)))
    .join("/");
  return [method, address, parameters.join("&"), lines.join(""), signedHeaders, headers["x-amz-content-sha256"]].join(
    "\n",
  );
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(value: string | Uint8Array): string {
  return createHash("sha256").update(value).digest("hex");
}
