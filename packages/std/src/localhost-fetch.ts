import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { addressOf } from "./send-request.ts";

/** `fetch`, which also resolves names under `localhost`: Node leaves them to the system, which may not. Follows none of its redirects. */
export const localhostFetch: typeof globalThis.fetch = async (input, init) => {
  const sent = new Request(input, init);
  const url = new URL(sent.url);
  if (!url.hostname.endsWith(".localhost")) return fetch(sent);
  const body = Buffer.from(await sent.arrayBuffer());
  const request = url.protocol === "http:" ? httpRequest : httpsRequest;
  const headers = { ...Object.fromEntries(sent.headers), "content-length": String(body.length) };
  const options = {
    method: sent.method,
    headers,
    agent: false,
    signal: sent.signal,
    ...addressOf(url.hostname),
  } as const;
  return new Promise((resolve, reject) => {
    request(url, options, (response) => resolve(responseOf(response)))
      .on("error", reject)
      .end(body);
  });
};

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  const isEmpty = status === 204 || status === 304;
  if (isEmpty) message.resume();
  return new Response(isEmpty ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>), { status, headers });
}
