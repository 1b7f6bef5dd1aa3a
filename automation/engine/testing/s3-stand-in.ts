/** Bucket with the parts of the S3 API that the engine uses, without authentication. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "@tenantry/std/listening";

export interface S3StandIn {
  /** Backend URL of the bucket `states` in R2's form. */
  backendUrl: string;
  objects: Map<string, Buffer>;
  /** Methods and keys of requests. */
  asked: string[];
  close: () => Promise<void>;
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const etag = (body: Buffer) => `"${createHash("md5").update(body).digest("hex")}"`;
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export async function startS3(): Promise<S3StandIn> {
  const objects = new Map<string, Buffer>();
  const asked: string[] = [];
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://s3");
    const [, bucket, ...rest] = url.pathname.split("/");
    const key = decodeURIComponent(rest.join("/"));
    const body = await buffer(request);
    asked.push(`${request.method} ${bucket}/${key}`);
    const end = (status: number, content: string | Buffer = "", headers: Record<string, string> = {}) =>
      response.writeHead(status, { "last-modified": new Date().toUTCString(), ...headers }).end(content);
    const missing = () =>
      end(404, `${XML}<Error><Code>NoSuchKey</Code><Message>none</Message></Error>`, {
        "content-type": "application/xml",
      });
    if (request.method === "GET" && key === "")
      return void end(200, list(objects, url.searchParams), { "content-type": "application/xml" });
    const found = objects.get(key);
    if (request.method === "GET" || request.method === "HEAD") {
      if (found === undefined) return void missing();
      const headers = { etag: etag(found), "content-length": String(found.length) };
      return void end(200, request.method === "HEAD" ? "" : found, headers);
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return void end(204);
    }
    const source = request.headers["x-amz-copy-source"];
    const copied =
      typeof source === "string" ? objects.get(decodeURIComponent(source).split("/").slice(1).join("/")) : undefined;
    if (source !== undefined && copied === undefined) return void missing();
    objects.set(key, copied ?? body);
    const content = `${XML}<CopyObjectResult><ETag>${etag(copied ?? body)}</ETag><LastModified>${new Date().toISOString()}</LastModified></CopyObjectResult>`;
    end(200, copied === undefined ? "" : content, { etag: etag(copied ?? body) });
  }
  const port = await listen(server, { port: 0 });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    backendUrl: `s3://states?endpoint=http://127.0.0.1:${port}&region=auto&s3ForcePathStyle=true`,
    objects,
    asked,
    close,
  };
}

function list(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  const common = new Set<string>();
  const whole = keys.filter((key) => {
    const at = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    if (at >= 0) common.add(key.slice(0, at + 1));
    return at < 0;
  });
  const contents = whole.map((key) => {
    const body = objects.get(key) ?? Buffer.alloc(0);
    const at = new Date().toISOString();
    return `<Contents><Key>${escaped(key)}</Key><Size>${body.length}</Size><ETag>${etag(body)}</ETag><LastModified>${at}</LastModified></Contents>`;
  });
  const prefixes = [...common].map((one) => `<CommonPrefixes><Prefix>${escaped(one)}</Prefix></CommonPrefixes>`);
  return `${XML}<ListBucketResult><IsTruncated>false</IsTruncated><KeyCount>${whole.length}</KeyCount>${contents.join("")}${prefixes.join("")}</ListBucketResult>`;
}
