/**
 * Deliveries that are signed as the vendor signs its webhooks. The tenant's Worker signs them with the delivery key. They are passed on with
 * OpenClaw's own secret for the channel.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { request as send } from "node:http";

const MAX_BODY_BYTES = 1_048_576;

/** By path: the channel, the header of the signature, and how to sign. OpenClaw checks Slack's timestamp. */
export const SIGNED = {
  // https://docs.slack.dev/authentication/verifying-requests-from-slack
  "/slack/events": {
    kind: "slack",
    header: "x-slack-signature",
    sign: (key, { "x-slack-request-timestamp": timestamp = "" }, body) =>
      `v0=${createHmac("sha256", key).update(`v0:${timestamp}:`).update(body).digest("hex")}`,
  },
  // https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature
  "/line/webhook": {
    kind: "line",
    header: "x-line-signature",
    sign: (key, _headers, body) => createHmac("sha256", key).update(body).digest("base64"),
  },
};

/** Whether a signature is that of a key. */
export function isSignedBy({ header, sign }, key, headers, body) {
  const expected = Buffer.from(sign(key, headers, body));
  const given = Buffer.from(headers[header] ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Reads a request's body. @returns `undefined` when it is too large */
export async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Sends a request with its body to this process again, since its stream was read. @param headers replaces some of its headers */
export function passOn(request, response, { port, headers, body }) {
  const { "transfer-encoding": _, ...rest } = request.headers;
  const all = { ...rest, ...headers, "content-length": body.length };
  const { method, url: path } = request;
  const sent = send({ host: "127.0.0.1", port, method, path, headers: all, agent: false }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  sent.once("error", () => response.destroy());
  sent.end(body);
}
