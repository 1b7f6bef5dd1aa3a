import { deviceRoutes } from "#workers/contracts/api/tenants/devices.ts";
import { IDS } from "../examples.ts";
import { section } from "../section.ts";

const DEVICE = "5f1c0a9be2d74438a6c90b7f3d1e8a42";
const REQUEST = "0b9f3f0e-6c1d-4a57-9d0e-4f6f0f8d2c11";
const params = { instance_id: IDS.instance };
const byRequest = { ...params, request_id: REQUEST };
const byDevice = { ...params, device_id: DEVICE };
const device = {
  id: DEVICE,
  name: "Build machine",
  platform: "linux",
  client: "node-host",
  roles: ["node"],
  scopes: [],
};
const changed = { device_id: DEVICE, name: "Build machine" };
const errors = {
  conflict:
    "The agent is frozen, stopped or asleep; its image or Worker is of an earlier version; or the device was changed meanwhile.",
};

export const deviceSection = section(
  deviceRoutes,
  "Devices",
  "Devices that are paired in an instance's OpenClaw: terminals, browsers and node hosts. They can be read while the agent runs. OpenClaw does not state whose they are. Each change has an entry in the audit log.",
  {
    listDevices: {
      description: "Lists paired devices and those that wait for approval, up to 200 of each, without tokens and keys.",
      params,
      answer: {
        pending: [{ request_id: REQUEST, ...device, requested_at: "2026-11-02T14:58:09.000Z" }],
        paired: [
          {
            ...device,
            paired_at: "2026-11-01T09:12:00.000Z",
            last_seen_at: "2026-11-02T14:58:09.000Z",
            is_connected: true,
          },
        ],
        unavailable: null,
      },
      errors: { conflict: "The instance is frozen or stopped." },
    },
    approveDevice: {
      description: "Approves a device that waits. It gets the roles and scopes that it requested.",
      params: byRequest,
      answer: changed,
      errors,
    },
    rejectDevice: {
      description: "Rejects a device that waits. It may ask again.",
      params: byRequest,
      answer: changed,
      errors,
    },
    removeDevice: {
      description: "Removes a paired device. OpenClaw ends its connections, and its tokens become invalid.",
      params: byDevice,
      answer: changed,
      errors,
    },
  },
);
