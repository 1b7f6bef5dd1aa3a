/** Routes for administrators to list and change devices that are paired in the gateway. The caller's role is checked before. */
import { type Context, Hono } from "hono";
import { workerErrors } from "#domain/errors/tenants/worker.ts";
import { errorResponse, statedResponse } from "#workers/contracts/errors.ts";
import { DEVICES_PATH, deviceChange } from "#workers/contracts/tenant/devices.ts";
import type { TenantEnv } from "../env.ts";
import { supervisorOf } from "../supervisor-calls.ts";
import type { DeviceOutcome } from "./devices.ts";

type Call = Context<{ Bindings: TenantEnv }>;

const send = <T extends object>(c: Call, outcome: DeviceOutcome<T>): Response =>
  "refused" in outcome ? statedResponse(outcome.refused) : c.json(outcome, 200, { "cache-control": "no-store" });

export const deviceAdmin = new Hono<{ Bindings: TenantEnv }>()
  .get(DEVICES_PATH, async (c) => send(c, await supervisorOf(c.env).listDevices()))
  .post(DEVICES_PATH, async (c) => {
    const change = deviceChange.safeParse(await c.req.json().catch(() => undefined));
    if (!change.success) return errorResponse(workerErrors.order_invalid, { fields: "call, id" });
    return send(c, await supervisorOf(c.env).changeDevice(change.data));
  })
  .all(DEVICES_PATH, (c) =>
    errorResponse(workerErrors.method_not_supported, { path: DEVICES_PATH, method: c.req.method }),
  );
