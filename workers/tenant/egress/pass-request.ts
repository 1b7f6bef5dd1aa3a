/** Passes a request of the container to its host, if the policy allows it. Bodies are streamed both ways. */
import { decide } from "#domain/egress/decide.ts";
import { hostOf } from "#domain/egress/hosts.ts";
import type { EgressRefusal } from "#domain/egress/policy-types.ts";
import { egressRefusalText } from "#domain/egress/refusals.ts";
import { egressRequestErrors } from "#domain/errors/tenants/egress-requests.ts";
import { type ErrorBody, errorResponse } from "#workers/contracts/errors.ts";
import { dropBody } from "#workers/shared/bounded-body.ts";
import { log } from "#workers/shared/log.ts";
import { countBody, declaredBytes } from "./counted-body.ts";
import type { HostCount } from "./host-counts.ts";
import type { PolicyInForce } from "./policy-cache.ts";
import { programOf } from "./program.ts";
import { isLoop, isUpgrade, outboundHeaders } from "./request-headers.ts";
import { addSecrets, secretsFor } from "./secrets.ts";

export interface PassOptions {
  /** @throws Error when the policy cannot be read */
  policy: () => Promise<PolicyInForce>;
  /** Records a request, or further bytes of its bodies. */
  count: (count: Omit<HostCount, "at">) => void;
  /** `fetch` */
  send: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * @returns the host's response, without following a redirect: the container asks for the next hop, which is decided like any request. Otherwise an
 *   error: 403 for a refused request, 502 for a host that cannot be reached, and 503 when the policy cannot be read.
 */
export async function passRequest(request: Request, url: URL, options: PassOptions): Promise<Response> {
  const { method } = request;
  const policy = await readPolicy(options);
  if (policy === undefined) return refuse(request, errorResponse(egressRequestErrors.egress_policy_not_readable));
  const { compiled, secrets } = policy;
  const host = hostOf(url.hostname);
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const identity = { host, port, program: programOf(request.headers) };
  const record = (counts: Partial<HostCount>) =>
    options.count({ ...identity, requests: 0, refused: 0, sentBytes: 0, receivedBytes: 0, reason: null, ...counts });

  const decision = decide(compiled, { url, method });
  if (!decision.allow) {
    const { reason } = decision;
    record({ requests: 1, refused: 1, reason });
    return refuse(request, refusedResponse(reason, { host, port, method }));
  }
  if (isLoop(request.headers)) return refuse(request, errorResponse(egressRequestErrors.egress_loop, { host }));

  // In `open` only what is refused is recorded.
  const isRecorded = compiled.mode !== "open";
  const headers = outboundHeaders(request.headers);
  addSecrets(headers, secretsFor(url, secrets));
  const sent = isRecorded ? declaredBytes(request.headers, request.body) : 0;
  const body = sent === undefined ? countBody(request.body, (sentBytes) => record({ sentBytes })) : request.body;
  if (isRecorded) record({ requests: 1, sentBytes: sent ?? 0 });
  try {
    const response = await options.send(url.href, {
      method,
      headers,
      body,
      redirect: "manual",
      // One tenant's response must not be another's, who shares the zone's cache.
      cache: "no-store",
      encodeResponseBody: "manual",
      signal: request.signal,
    });
    return isRecorded && !isUpgrade(request.headers)
      ? counted(response, method, (receivedBytes) => record({ receivedBytes }))
      : response;
  } catch (error) {
    // The container may have disconnected. A URL may contain a secret of the container.
    if (!request.signal.aborted) log("warn", "egress.host-unreachable", { host, port, message: withoutUrls(error) });
    return errorResponse(egressRequestErrors.egress_host_unreachable, { host });
  }
}

async function readPolicy({ policy }: PassOptions): Promise<PolicyInForce | undefined> {
  try {
    return await policy();
  } catch (error) {
    log("error", "egress.policy-not-readable", { message: String(error) });
    return undefined;
  }
}

/** Responds after the body: a client that is still sending may not receive the response. */
async function refuse(request: Request, response: Response): Promise<Response> {
  await dropBody(request);
  return response;
}

function refusedResponse(
  reason: EgressRefusal,
  values: Readonly<{ host: string; port: number; method: string }>,
): Response {
  const body: ErrorBody = { error: { code: "egress_refused", reason, message: egressRefusalText(reason, values) } };
  return Response.json(body, { status: 403, headers: { "cache-control": "no-store" } });
}

/** Returns a response that counts its body's bytes. A body of known length is passed by the runtime itself. */
function counted(response: Response, method: string, count: (bytes: number) => void): Response {
  const { body, status, statusText, headers } = response;
  const bytes = method === "HEAD" ? 0 : declaredBytes(headers, body);
  if (bytes === undefined) {
    // Passed as it is encoded.
    return new Response(countBody(body, count), { status, statusText, headers, encodeBody: "manual" });
  }
  if (bytes > 0) count(bytes);
  return response;
}

const withoutUrls = (error: unknown): string => String(error).replace(/\S+:\/\/\S+/g, "[address]");
