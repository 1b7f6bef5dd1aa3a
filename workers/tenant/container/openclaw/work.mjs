/**
 * Preloaded into OpenClaw, before the identity guard: handles `GET /workz` of OpenClaw's port for programs in this container. See `work.mjs` one
 * folder up. Also handles orders for paired devices (`devices.mjs`).
 *
 * The work is read from OpenClaw's HTTP endpoint for RPC methods, from inside its process. A request with this process's secret gets an
 * administrator's identity after the guard has removed any other. Other callers cannot reach the endpoint.
 *
 * Environment: GATEWAY_PORT; DELIVERED_CHANNELS, kinds separated by commas; LEFT_OUT_CHANNELS, a JSON array of `{ messenger, cause, reason? }`.
 */
import { randomBytes } from "node:crypto";
import { Server } from "node:http";
import { answerDeviceOrder, isDeviceOrder } from "./devices.mjs";
import { tickets } from "./held-tickets.mjs";
import { setIdentity, UNKNOWN_ADDRESS } from "./identity-headers.mjs";
import { OPERATOR_SCOPES, USER_HEADER } from "./platform-config.mjs";
import { workOf } from "./work-answer.mjs";

const RPC_PATH = "/api/v1/admin/rpc";
const SECRET_HEADER = "x-tenantry-within";
/** The identity of these requests. */
const CALLER = "sleep@tenantry.invalid";
/** A response takes milliseconds, or longer while OpenClaw starts. */
const RPC_TIMEOUT_MS = 4_000;

const {
  GATEWAY_PORT: port = "18789",
  DELIVERED_CHANNELS: delivered = "",
  LEFT_OUT_CHANNELS: leftOut = "[]",
} = process.env;
const channels = { delivered: delivered.split(","), leftOut: JSON.parse(leftOut) };
const secret = randomBytes(32).toString("base64url");

/** Calls one of OpenClaw's RPC methods. @throws Error when it fails or times out */
async function call(method, params = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${RPC_PATH}`, {
    method: "POST",
    headers: { "content-type": "application/json", [SECRET_HEADER]: secret },
    body: JSON.stringify({ method, params }),
    signal: AbortSignal.timeout(RPC_TIMEOUT_MS),
  });
  const { ok, payload, error } = await response.json();
  if (ok !== true) throw new Error(`OpenClaw rejected ${method}: ${error?.message ?? response.status}`);
  return payload;
}

let reading;

/** Reads OpenClaw's work. Concurrent callers share one result. */
function readWork() {
  reading ??= workOf(call, channels).finally(() => {
    reading = undefined;
  });
  return reading;
}

function send(response, status, body) {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

const isLoopback = (address = "") => /^(?:::ffff:)?127\.|^::1$/.test(address);

/** Handles a request. @returns false to pass it to OpenClaw */
function handle(request, response) {
  const [path] = (request.url ?? "").split("?");
  if (path === RPC_PATH) {
    if (request.headers[SECRET_HEADER] === secret) {
      const address = UNKNOWN_ADDRESS;
      setIdentity(request, { user: CALLER, role: "ROOT", scopes: OPERATOR_SCOPES, address, scheme: "https" });
      delete request.headers[SECRET_HEADER];
      return false;
    }
    send(response, 404, {});
    return true;
  }
  if (isDeviceOrder(request)) {
    answerDeviceOrder({ tickets, call }, request, response).catch(() => response.destroy());
    return true;
  }
  // The guard has set a user on requests that come through the Worker.
  if (path !== "/workz" || request.headers[USER_HEADER] !== undefined || !isLoopback(request.socket.remoteAddress))
    return false;
  if (request.method !== "GET") send(response, 405, {});
  else
    readWork().then(
      (work) => send(response, 200, work),
      (error) => send(response, 503, { error: String(error?.message ?? error) }),
    );
  return true;
}

const { emit } = Server.prototype;

Server.prototype.emit = function emitUnlessHandled(event, ...parameters) {
  const isOurs = event === "request" && this.address()?.port === Number(port);
  return isOurs && handle(...parameters) ? true : emit.call(this, event, ...parameters);
};
