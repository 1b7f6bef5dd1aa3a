/** Devices that are paired in an instance's OpenClaw, in the API. OpenClaw does not state whose they are. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { gatewayId } from "../../tenant/devices.ts";
import { ROOTS_AND_ADMINS, route, routes } from "../route.ts";

const byId = z.object({ instance_id: z.uuid() });
const byRequest = byId.extend({ request_id: gatewayId });
const byDevice = byId.extend({ device_id: gatewayId });

const described = {
  id: z.string(),
  name: z.string().nullable(),
  /** Such as `darwin`. */
  platform: z.string().nullable(),
  /** Such as `openclaw-tui`. */
  client: z.string().nullable(),
  roles: z.array(z.string()),
  scopes: z.array(z.string()),
};
const pendingDevice = z.object({ request_id: z.string(), ...described, requested_at: instant });
export type PendingDevice = z.infer<typeof pendingDevice>;
const pairedDevice = z.object({
  ...described,
  paired_at: instant,
  last_seen_at: instant.nullable(),
  is_connected: z.boolean(),
});
export type PairedDevice = z.infer<typeof pairedDevice>;

const changed = z.object({ device_id: z.string(), name: z.string().nullable() });

const REFUSALS = ["conflict", "gateway_unavailable", "tenant_unavailable"] as const;
const change = { callers: ROOTS_AND_ADMINS, answer: changed, refusals: REFUSALS } as const;

export const deviceRoutes = routes("devices", {
  listDevices: route("get", "/client/instance/:instance_id/devices", {
    summary: "List the devices that are paired in OpenClaw",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: z.object({
      pending: z.array(pendingDevice),
      paired: z.array(pairedDevice),
      /** Why the lists are unknown, and then empty; null if they are known. */
      unavailable: z.object({ reason: z.string(), message: z.string() }).nullable(),
    }),
    refusals: ["conflict"],
  }),
  approveDevice: route("post", "/client/instance/:instance_id/devices/requests/:request_id/approve", {
    ...change,
    summary: "Approve a device",
    params: byRequest,
  }),
  rejectDevice: route("post", "/client/instance/:instance_id/devices/requests/:request_id/reject", {
    ...change,
    summary: "Reject a device",
    params: byRequest,
  }),
  removeDevice: route("delete", "/client/instance/:instance_id/devices/:device_id", {
    ...change,
    summary: "Remove a paired device",
    params: byDevice,
  }),
});
