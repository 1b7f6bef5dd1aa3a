/** The ways that sandboxes have out to their tenant Workers: a loopback address a sandbox, for metrics alone. */
import { randomBytes } from "node:crypto";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { errorResponse } from "../../workers/contracts/errors.ts";
import { METRICS_PATH } from "../../workers/contracts/internal.ts";
import { METRICS_HOST } from "../../workers/contracts/sandbox.ts";
import type { Log } from "../log.ts";

export interface ScriptName {
  namespace: string;
  name: string;
}

/** Where a request for a script goes, so that the script sees it at `url`. */
export type WayToScript = (script: ScriptName, url: string) => RequestOptions;

export interface Egress {
  /** Where a script's sandbox sends metrics. Nobody else knows it. */
  address(script: ScriptName): string;
  /** Says how scripts are reached; until then every request is answered 503. */
  open(way: WayToScript): void;
  stop(): Promise<void>;
}

/** All else a program sends could claim to be the platform's. */
const PASSED = ["content-type", "content-encoding", "content-length", "user-agent"];

async function send(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), connection: "close" });
  response.end(await answer.text());
}

export async function startEgress(log: Log): Promise<Egress> {
  const scripts = new Map<string, ScriptName>();
  const keys = new Map<string, string>();
  let way: WayToScript | undefined;

  const pass = (script: ScriptName, to: RequestOptions, request: IncomingMessage, response: ServerResponse): void => {
    const headers = Object.fromEntries(
      PASSED.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const onward = httpRequest({ ...to, method: "POST", headers: { ...headers, ...to.headers } });
    onward.once("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, { "content-type": answer.headers["content-type"] ?? "text/plain" });
      answer.pipe(response);
    });
    onward.once("error", (error) => {
      log("sandbox", "egress.failed", { script: script.name, message: error.message });
      request.unpipe(onward);
      if (response.headersSent) response.destroy();
      else void send(response, errorResponse("tenant_unavailable", "The tenant Worker cannot be reached; try again."));
    });
    response.once("close", () => onward.destroy());
    request.pipe(onward);
  };

  const server = createServer((request, response) => {
    const script = scripts.get(request.url ?? "");
    if (script === undefined) void send(response, errorResponse("not_found", "Nothing is here."));
    else if (request.method !== "POST") void send(response, errorResponse("method_not_allowed", "POST metrics."));
    else if (way === undefined) void send(response, errorResponse("tenant_unavailable", "The edge is starting."));
    else pass(script, way(script, `http://${METRICS_HOST}${METRICS_PATH}`), request, response);
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    address(script) {
      const id = `${script.namespace}/${script.name}`;
      const path = keys.get(id) ?? `/${randomBytes(16).toString("hex")}/v1/metrics`;
      keys.set(id, path);
      scripts.set(path, script);
      return `http://127.0.0.1:${port}${path}`;
    },
    open(to) {
      way = to;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
