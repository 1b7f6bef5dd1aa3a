/**
 * What workerd processes ask of this one, on a unix socket that only they can name: requests to a dispatched Worker,
 * and data points to keep.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { closeAndCut, KEEP_ALIVE_MS, listen } from "@tenantry/std/listening";
import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import type { Analytics } from "../cloudflare/kinds/analytics/data-points.ts";
import type { ScriptRecord } from "../cloudflare/kinds/scripts/record.ts";
import { asciiJson } from "../http/ascii-json.ts";
import { requestHeaders } from "../http/end-to-end.ts";
import { busy, exceededCpu, lostAnswer, sendError, timedOut } from "../http/error-pages.ts";
import {
  CF_HEADER,
  DATASET_HEADER,
  DISPATCH_ERROR_HEADER,
  DISPATCH_HEADER,
  EXCEPTION_HEADER,
  INTERNAL_PREFIX,
} from "../http/internal-headers.ts";
import {
  type Destination,
  type Intercept,
  MOST_HEADER_BYTES,
  RelayError,
  relay,
  relayUpgrade,
  responseOn,
} from "../http/relay.ts";
import type { Limits } from "./cells/cell.ts";
import type { Cells } from "./cells/cells.ts";
import { DEFAULT_CPU_MS } from "./cells/cpu-limit.ts";
import { UnknownScriptError } from "./cells/lease.ts";
import { NoPlaceError } from "./cells/places.ts";

const asked = z.object({
  namespace: z.string(),
  script: z.string(),
  url: z.url(),
  cf: z.record(z.string(), z.unknown()).optional(),
  limits: z
    .object({ cpuMs: z.number().positive().optional(), subRequests: z.number().nonnegative().optional() })
    .optional(),
  /** Whether the dispatching Worker works on a schedule's or a queue's account, and on no client's. */
  background: z.boolean().optional(),
});
type Asked = z.infer<typeof asked>;

export interface Hub {
  /** Path of the unix socket. */
  path: string;
  stop(): Promise<void>;
}

/** @param directory a private one, where the socket is made */
export async function startHub(o: {
  directory: string;
  cells: () => Cells;
  analytics: Analytics;
  log: Log;
}): Promise<Hub> {
  const path = join(o.directory, "hub.sock");
  const server = createServer(
    // A dispatched request's own address comes in a header.
    { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: MOST_HEADER_BYTES },
    (request, response) => {
      const work =
        request.headers[DATASET_HEADER] === undefined
          ? dispatch(o, request, response, response, (to, intercept) => relay(request, response, to, intercept))
          : keepPoint(o.analytics, request, response);
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
    dispatch(o, request, response, socket, (to, intercept) => relayUpgrade(request, socket, head, to, intercept)).catch(
      (error: unknown) => {
        o.log("runtime", "hub-failed", { message: String(error) });
        socket.destroy();
      },
    );
  });
  server.on("clientError", (_, socket) => socket.destroy());
  await listen(server, { path });
  return {
    path,
    stop: () => closeAndCut(server),
  };
}

async function dispatch(
  o: { cells: () => Cells; log: Log },
  request: IncomingMessage,
  answer: ServerResponse | (() => ServerResponse),
  connection: ServerResponse | Duplex,
  send: (to: Destination, intercept: Intercept) => Promise<void>,
): Promise<void> {
  const response = () => (typeof answer === "function" ? answer() : answer);
  const refuse = (message: string) => {
    request.resume();
    response()
      .writeHead(500, { [DISPATCH_ERROR_HEADER]: encodeURIComponent(Buffer.from(message).toString()) })
      .end();
  };
  const header = request.headers[DISPATCH_HEADER];
  const ask = asked.safeParse(typeof header === "string" ? JSON.parse(decodeURIComponent(header)) : undefined);
  if (!ask.success) {
    refuse("The limits given to a dispatched Worker must be positive numbers.");
    return;
  }
  const { namespace, script: name, background = false } = ask.data;
  const gone = new AbortController();
  connection.once("close", () => gone.abort(new Error("The client has left.")));
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
    sendError(request, response(), { ...busy, detail: lease.message });
    return;
  }
  if (lease instanceof Error) {
    if (!(lease instanceof UnknownScriptError)) o.log("runtime", "dispatch-failed", { message: lease.message });
    refuse(lease.message);
    return;
  }
  if (lease === undefined) {
    request.resume();
    response().writeHead(204).end();
    return;
  }
  const { cell, script } = lease;
  const intercept: Intercept = (from) => {
    const thrown = from.headers[EXCEPTION_HEADER];
    if (typeof thrown !== "string") return false;
    refuse(decodeURIComponent(thrown));
    return true;
  };
  const as = { url: ask.data.url, headers: forwardedHeaders(request, ask.data) };
  try {
    await cell.serve(limits(script, ask.data), (to) => send(to, intercept), as, !background);
  } catch (error) {
    if (!(error instanceof RelayError)) throw error;
    const page = cell.exceeded ? exceededCpu : error.kind === "timeout" ? timedOut : lostAnswer;
    sendError(request, response(), page);
  } finally {
    lease.release();
  }
}

function forwardedHeaders(request: IncomingMessage, ask: Asked): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, values] of Object.entries(requestHeaders(request.headersDistinct))) {
    if (!name.startsWith(INTERNAL_PREFIX) && name !== CF_HEADER) headers[name] = values;
  }
  return ask.cf === undefined ? headers : { ...headers, [CF_HEADER]: asciiJson(ask.cf) };
}

/** The smaller of what the script and the dispatching Worker allow; its objects have the script's own limit. */
function limits(script: ScriptRecord, { limits: given }: Asked): Limits {
  const { cpu_ms, subrequests: objectSubrequests } = script.limits;
  const subrequests = smaller(objectSubrequests, given?.subRequests);
  return { cpu: smaller(cpu_ms, given?.cpuMs) ?? DEFAULT_CPU_MS, subrequests, objectSubrequests };
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

async function keepPoint(analytics: Analytics, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const dataset = z.string().parse(request.headers[DATASET_HEADER]);
  analytics.append(decodeURIComponent(dataset), await text(request));
  response.writeHead(200).end();
}
