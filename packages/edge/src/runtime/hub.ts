/** The server that workerd processes call on a private unix socket, to dispatch requests and to store data points. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { closeAndCut, listen } from "@tenantry/std/listening";
import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import type { Analytics } from "../cloudflare/kinds/analytics/data-points.ts";
import type { ScriptRecord } from "../cloudflare/kinds/scripts/record.ts";
import { asciiJson } from "../http/ascii-json.ts";
import { requestHeaders } from "../http/end-to-end.ts";
import { busy, lostResponse, sendError, timedOut } from "../http/error-pages.ts";
import {
  CF_HEADER,
  DATASET_HEADER,
  DISPATCH_ERROR_HEADER,
  DISPATCH_HEADER,
  EXCEPTION_HEADER,
  INTERNAL_PREFIX,
  WEATHER_HEADER,
} from "../http/internal-headers.ts";
import {
  type Destination,
  type Intercept,
  MAX_HEAD_BYTES,
  RelayError,
  relayRequest,
  relayUpgrade,
  responseOn,
} from "../http/relay.ts";
import type { EdgeLimits } from "../limits/edge-limits.ts";
import type { WorkerWeather } from "../weather/worker-weather.ts";
import { type Limits, UnknownScriptError } from "./cells/cell.ts";
import type { Cells } from "./cells/cells.ts";
import { DEFAULT_CPU_MS } from "./cells/cpu-limit.ts";
import { NoPlaceError } from "./cells/places.ts";

const dispatchRequest = z.object({
  namespace: z.string(),
  script: z.string(),
  url: z.url(),
  cf: z.record(z.string(), z.unknown()).optional(),
  limits: z
    .object({ cpuMs: z.number().positive().optional(), subRequests: z.number().nonnegative().optional() })
    .optional(),
  /** Whether a cron or queue event of the dispatching Worker sends it. */
  background: z.boolean().optional(),
});
type DispatchRequest = z.infer<typeof dispatchRequest>;

export interface Hub {
  path: string;
  stop(): Promise<void>;
}

/** @param o.directory private folder of the socket */
export async function startHub(o: {
  directory: string;
  cells: () => Cells;
  analytics: Analytics;
  limits: EdgeLimits;
  /** Default: no faults. */
  weather?: WorkerWeather | undefined;
  log: Log;
}): Promise<Hub> {
  const path = join(o.directory, "hub.sock");
  const server = createServer(
    // A header has the address of a dispatched request, so it may be large.
    { requestTimeout: 0, headersTimeout: 0, maxHeaderSize: MAX_HEAD_BYTES },
    (request, response) => {
      if (o.weather !== undefined && request.headers[WEATHER_HEADER] !== undefined)
        return o.weather.serve(request, response);
      const work =
        request.headers[DATASET_HEADER] === undefined
          ? dispatchToCell(
              o,
              request,
              () => response,
              response,
              (...to) => relayRequest(request, response, ...to),
            )
          : storePoint(o.analytics, request, response);
      work.catch((error: unknown) => {
        o.log("runtime", "hub-failed", { message: String(error) });
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
      });
    },
  );
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const response = () => responseOn(request, socket);
    const work = dispatchToCell(o, request, response, socket, (...to) => relayUpgrade(request, socket, head, ...to));
    work.catch((error: unknown) => {
      o.log("runtime", "hub-failed", { message: String(error) });
      socket.destroy();
    });
  });
  server.on("clientError", (_, socket) => socket.destroy());
  await listen(server, { path });
  return { path, stop: () => closeAndCut(server) };
}

async function dispatchToCell(
  o: { cells: () => Cells; limits: EdgeLimits; log: Log },
  request: IncomingMessage,
  response: () => ServerResponse,
  connection: ServerResponse | Duplex,
  send: (to: Destination, intercept: Intercept) => Promise<void>,
): Promise<void> {
  const refuse = (message: string) => {
    request.resume();
    const encoded = encodeURIComponent(Buffer.from(message).toString());
    response()
      .writeHead(500, { [DISPATCH_ERROR_HEADER]: encoded })
      .end();
  };
  const header = request.headers[DISPATCH_HEADER];
  const json: unknown = typeof header === "string" ? JSON.parse(decodeURIComponent(header)) : undefined;
  const parsed = dispatchRequest.safeParse(json);
  if (!parsed.success) return refuse("Limits of a dispatched Worker must be positive numbers.");
  const { data: ask } = parsed;
  const { namespace, script: name, background = false } = ask;
  const gone = new AbortController();
  connection.once("close", () => gone.abort(new Error("The client has disconnected.")));
  const lease = await o
    .cells()
    .lease(namespace, name, background ? "background" : "request", gone.signal)
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  if (gone.signal.aborted) {
    if (!(lease instanceof Error)) lease?.release();
    return;
  }
  if (lease instanceof NoPlaceError) {
    o.log("runtime", "cell-refused", { script: `${namespace}/${name}`, message: lease.message });
    return sendError(request, response(), { ...busy, detail: lease.message });
  }
  if (lease instanceof Error) {
    if (!(lease instanceof UnknownScriptError)) o.log("runtime", "dispatch-failed", { message: lease.message });
    return refuse(lease.message);
  }
  if (lease === undefined) {
    request.resume();
    return void response().writeHead(204).end();
  }
  const { cell, script } = lease;
  const intercept: Intercept = (from) => {
    const thrown = from.headers[EXCEPTION_HEADER];
    if (typeof thrown !== "string") return false;
    refuse(decodeURIComponent(thrown));
    return true;
  };
  const as = { url: ask.url, headers: forwardedHeaders(request, ask) };
  try {
    await cell.serve(limitsOf(o.limits, script, ask), (to) => send(to, intercept), as, !background);
  } catch (error) {
    if (!(error instanceof RelayError)) throw error;
    const answer = response();
    // The dispatching Worker gets an exception: workers-for-platforms/configuration/custom-limits in Cloudflare's documentation.
    if (cell.exceeded && !answer.headersSent) return refuse("Worker exceeded CPU time limit.");
    sendError(request, answer, error.kind === "timeout" ? timedOut : lostResponse);
  } finally {
    lease.release();
  }
}

function forwardedHeaders(request: IncomingMessage, ask: DispatchRequest): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, values] of Object.entries(requestHeaders(request.headersDistinct))) {
    if (!name.startsWith(INTERNAL_PREFIX) && name !== CF_HEADER) headers[name] = values;
  }
  return ask.cf === undefined ? headers : { ...headers, [CF_HEADER]: asciiJson(ask.cf) };
}

/** Returns the smaller limits of script and dispatching Worker. Objects have the script's own limit. */
function limitsOf(limits: EdgeLimits, script: ScriptRecord, { limits: given }: DispatchRequest): Limits {
  const { cpu_ms, subrequests: objectSubrequests = limits.valueOf("subrequests") } = script.limits;
  const subrequests = smallerLimit(objectSubrequests, given?.subRequests);
  return { cpu: smallerLimit(cpu_ms, given?.cpuMs) ?? DEFAULT_CPU_MS, subrequests, objectSubrequests };
}

function smallerLimit(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

async function storePoint(analytics: Analytics, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const dataset = z.string().parse(request.headers[DATASET_HEADER]);
  analytics.append(decodeURIComponent(dataset), await text(request));
  response.writeHead(200).end();
}
