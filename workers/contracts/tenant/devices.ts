/** Devices that are paired in a tenant's OpenClaw. */
import * as z from "zod";

/** `GET` returns {@link deviceList}. `POST` with a {@link deviceChange} changes a device: 200 with a {@link changedDevice}. */
export const DEVICES_PATH = "/api/admin/gateway/devices";
/**
 * Path of the gateway at which the Worker lists and changes devices: POST with a JWT (EdDSA), signed by the ticket key, with the claim `devices`
 * ({@link DeviceOrder}) and a `jti`, since it is accepted once.
 */
export const DEVICE_ORDER_PATH = "/device-order";

const text = z.string().transform((value) => value.slice(0, 200));
/** As OpenClaw creates them. */
export const gatewayId = z.string().regex(/^[\w.:-]{1,128}$/);
const names = z.array(text).max(20);
/** Milliseconds since the epoch. */
const time = z.number().int().nonnegative().max(8.64e15);

const described = {
  deviceId: gatewayId,
  name: text.optional(),
  /** Such as `darwin`. */
  platform: text.optional(),
  /** Such as `openclaw-tui`. */
  client: text.optional(),
  roles: names,
  scopes: names,
};
/** A device that waits for approval. */
const pendingDevice = z.object({ requestId: gatewayId, ...described, at: time });
const pairedDevice = z.object({
  ...described,
  /** When it was last approved. */
  at: time,
  /** When it was paired. */
  pairedAt: time.optional(),
  /** A browser that OpenClaw paired by itself, since its user had logged in. */
  byLogin: z.literal(true).optional(),
  seenAt: time.optional(),
  connected: z.boolean(),
});

export const deviceList = z.object({
  pending: z.array(pendingDevice).max(200),
  paired: z.array(pairedDevice).max(200),
});
export type DeviceList = z.infer<typeof deviceList>;

export const deviceChanges = ["approve", "reject", "remove"] as const;
/** `id`: of the request, or of a paired device. */
export const deviceChange = z.object({ call: z.enum(deviceChanges), id: gatewayId });
export type DeviceChange = z.infer<typeof deviceChange>;
export type DeviceOrder = DeviceChange | { call: "list" };

export const changedDevice = z.object({ device: z.object({ deviceId: gatewayId, name: text.optional() }) });
export type ChangedDevice = z.infer<typeof changedDevice>;

/** Most new devices in a health snapshot. */
export const MAX_NEW_DEVICES = 20;

/** A device that asked to be paired, or was paired without a request that was reported. */
export const newDevice = z.object({
  id: gatewayId,
  /** When it asked or was paired: ISO 8601 UTC. */
  at: z.iso.datetime({ precision: 3 }),
  /** Whether it waits for approval. */
  waits: z.boolean(),
  /** Its name, or that of its program. */
  name: text.optional(),
  platform: text.optional(),
});
export type NewDevice = z.infer<typeof newDevice>;
