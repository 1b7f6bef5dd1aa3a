/**
 * `POST /device-order` of OpenClaw's port: the tenant's Worker lists the devices that are paired in OpenClaw, or changes one. The body is an
 * order (`deviceOrder` of workers/contracts/tenant/devices.ts): a JWT that is signed with the current ticket key, which neither programs in this
 * container nor users have. Each order is accepted once.
 *
 * 200 the result; 403 refuses the order; 404 no such device or request; 503 OpenClaw rejected the call.
 */
import { readOrder, send } from "../ticket-key-order.mjs";
import { ROLE_HEADER, USER_HEADER } from "./platform-config.mjs";

const PATH = "/device-order";
const MAX_DEVICES = 200;
const MAX_TEXT = 200;
const MAX_NAMES = 20;
/** OpenClaw's pages. It pairs them without approval if their user has logged in (`deviceAutoApprove`). */
const BROWSERS = new Set(["openclaw-control-ui", "webchat-ui"]);
const UNKNOWN = { status: 404, body: { unknown: true } };

/** By change: OpenClaw's method, its parameter, and the list that has the device. */
const CHANGES = new Map([
  ["approve", { method: "device.pair.approve", parameter: "requestId", list: "pending" }],
  ["reject", { method: "device.pair.reject", parameter: "requestId", list: "pending" }],
  ["remove", { method: "device.pair.remove", parameter: "deviceId", list: "paired" }],
]);

/** Expiry of the accepted orders by their IDs, in seconds since the epoch. */
const accepted = new Map();

/** Whether a request is an order of the Worker, and not a user's request. */
export const isDeviceOrder = ({ method, url, headers }) =>
  method === "POST" && url === PATH && headers[USER_HEADER] === undefined && headers[ROLE_HEADER] === undefined;

/** @param call calls a method of OpenClaw */
export async function answerDeviceOrder({ tickets, call }, request, response) {
  const order = accept(tickets, await readOrder(request));
  if (order === undefined) return send(response, 403, { error: "the order is not valid, or was used before" });
  try {
    const { status, body } = await carryOut(order, call);
    send(response, status, body);
  } catch (error) {
    send(response, 503, { error: text(String(error?.message ?? error)) });
  }
}

function accept(tickets, token) {
  let claims;
  try {
    claims = tickets.orderOf(token);
  } catch {
    return undefined;
  }
  const { devices, jti, exp } = claims ?? {};
  if (typeof devices !== "object" || devices === null || typeof jti !== "string" || accepted.has(jti)) return undefined;
  const now = Date.now() / 1000;
  for (const [id, until] of accepted) if (until < now) accepted.delete(id);
  accepted.set(jti, exp);
  return devices;
}

async function carryOut({ call: name, id }, call) {
  const devices = await readDevices(call);
  if (name === "list") return { status: 200, body: devices };
  const change = CHANGES.get(name);
  const device = devices[change?.list]?.find((one) => one[change.parameter] === id);
  if (device === undefined) return UNKNOWN;
  try {
    await call(change.method, { [change.parameter]: id });
  } catch (error) {
    // Somebody else was first.
    if (/: unknown (?:requestId|deviceId)$/.test(String(error?.message))) return UNKNOWN;
    throw error;
  }
  return { status: 200, body: { device } };
}

async function readDevices(call) {
  const { pending = [], paired = [] } = await call("device.pair.list");
  return {
    pending: pending.slice(0, MAX_DEVICES).map((one) => ({
      requestId: one.requestId,
      ...described(one),
      at: one.ts,
    })),
    paired: paired.slice(0, MAX_DEVICES).map((one) => ({
      ...described(one),
      at: one.approvedAtMs,
      pairedAt: one.createdAtMs,
      byLogin: one.approvedVia === "trusted-proxy" && BROWSERS.has(one.clientId) ? true : undefined,
      seenAt: one.lastSeenAtMs,
      connected: one.connected === true,
    })),
  };
}

const text = (value) => (typeof value === "string" && value !== "" ? value.slice(0, MAX_TEXT) : undefined);
const names = (list) => (Array.isArray(list) ? list : []).slice(0, MAX_NAMES).flatMap((one) => text(one) ?? []);

/** What identifies a device, without tokens and keys. */
const described = (one) => ({
  deviceId: one.deviceId,
  name: text(one.operatorLabel ?? one.displayName),
  platform: text(one.platform),
  client: text(one.clientId),
  roles: names(one.roles ?? [one.role]),
  scopes: names(one.scopes),
});
