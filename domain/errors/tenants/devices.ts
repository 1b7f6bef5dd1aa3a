/** Errors of devices that are paired in a tenant's OpenClaw. */
import { defineErrors } from "../catalogue.ts";

export const deviceErrors = defineErrors({
  device_not_found: {
    code: "conflict",
    message: "The device or its request no longer exists. It was removed, approved or rejected meanwhile.",
    remedy: "Read the list of devices again.",
  },
  device_changed_by: {
    code: "conflict",
    message: "The device was changed by {who} at {at}: {change}.",
    remedy: "Read the list of devices again.",
  },
  devices_need_running_agent: {
    code: "conflict",
    message: "The agent does not run, so its devices are unknown.",
    remedy: "Wake the agent, then try again.",
  },
  devices_not_answered: {
    code: "tenant_unavailable",
    message: "The agent did not answer.",
    remedy: "Read the list of devices, then try again.",
  },
  devices_not_supported: {
    code: "conflict",
    message: "The agent runs an image without the list of devices.",
    remedy: "Upgrade its version. Until then, use the settings of OpenClaw.",
  },
});
