import { listAudit } from "#database/audit.ts";
import { auditStateChange } from "#database/tenants/state-changes.ts";
import { deviceErrors } from "#domain/errors/tenants/devices.ts";
import type { deviceRoutes } from "#workers/contracts/api/tenants/devices.ts";
import type { ChangedDevice, DeviceChange, DeviceList } from "#workers/contracts/tenant/devices.ts";
import { Failure, failure } from "../../http/failure.tsx";
import type { Call, Handlers } from "../../http/serve.ts";
import { authorFor } from "../../identity/tenant-view.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { minuteText } from "../changed-by.ts";
import { requireActive } from "../instances/operations.ts";

/** Newest changes among which that of a device is found. */
const RECENT = 50;
const DONE: Readonly<Record<string, string>> = { approve: "approved", reject: "rejected", remove: "removed" };

export const deviceHandlers: Handlers<typeof deviceRoutes> = {
  async listDevices({ db, settings, params, caller, release }) {
    const { client } = await requireActive(db, settings.ENVIRONMENT, params.instance_id);
    await caller;
    await release();
    const read = await new TenantOrders(settings).devices(client.slug).catch(unavailable);
    if ("unavailable" in read) return read;
    const { pending, paired } = read;
    return {
      pending: pending.map((device) => ({
        request_id: device.requestId,
        ...described(device),
        requested_at: new Date(device.at).toISOString(),
      })),
      paired: paired.map((device) => ({
        ...described(device),
        paired_at: new Date(device.at).toISOString(),
        last_seen_at: device.seenAt === undefined ? null : new Date(device.seenAt).toISOString(),
        is_connected: device.connected,
      })),
      unavailable: null,
    };
  },

  approveDevice: (call) => changeDevice(call, { call: "approve", id: call.params.request_id }),
  rejectDevice: (call) => changeDevice(call, { call: "reject", id: call.params.request_id }),
  removeDevice: (call) => changeDevice(call, { call: "remove", id: call.params.device_id }),
};

/** A stopped agent is no fault of the request. */
function unavailable(error: unknown) {
  if (!(error instanceof Failure)) throw error;
  const { code, reason = code, message } = error;
  return { pending: [], paired: [], unavailable: { reason, message } };
}

type Described = Pick<DeviceList["paired"][number], "deviceId" | "name" | "platform" | "client" | "roles" | "scopes">;

const described = ({ deviceId, name, platform, client, roles, scopes }: Described) => ({
  id: deviceId,
  name: name ?? null,
  platform: platform ?? null,
  client: client ?? null,
  roles,
  scopes,
});

type DeviceCall = Pick<
  Call<(typeof deviceRoutes)["approveDevice"]>,
  "db" | "settings" | "caller" | "actOutside" | "inNewTransaction"
> & { params: { instance_id: string } };

async function changeDevice(call: DeviceCall, change: DeviceChange) {
  const { db, settings, params, actOutside } = call;
  const found = await requireActive(db, settings.ENVIRONMENT, params.instance_id);
  await auditStateChange(db, found.id, { device: change.id, change: change.call });
  actOutside();
  // A refusal rolls back the audit entry.
  const { device } = await new TenantOrders(settings)
    .changeDevice(found.client.slug, change)
    .catch(async (error: unknown): Promise<ChangedDevice> => {
      throw await statedAuthor(call, change, error);
    });
  return { device_id: device.deviceId, name: device.name ?? null };
}

/** Adds the author of the last change to the error `device_not_found`. Returns any other error, or one without a known author, unchanged. */
async function statedAuthor(
  { caller, params, inNewTransaction }: DeviceCall,
  { id }: DeviceChange,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Failure) || error.reason !== deviceErrors.device_not_found.reason) return error;
  const filter = { entity: "state", entity_id: params.instance_id };
  const entries = await inNewTransaction((db) => listAudit(db, { limit: RECENT, filter }));
  const last = entries.find(({ after }) => after?.device === id);
  if (last === undefined) return error;
  const done = DONE[String(last.after?.change)] ?? "changed";
  const who = authorFor(await caller, last.actor);
  return failure(deviceErrors.device_changed_by, { who, at: minuteText(last.at), change: done });
}
