/** The image of `Dockerfile` for containers that are processes of one machine, as on the local edge. */
import { join } from "node:path";
import type { ProcessImage } from "@tenantry/edge";
import { GATEWAY_PORT } from "#workers/contracts/tenant/health-snapshot.ts";
import { METRICS_PATH } from "#workers/contracts/tenant/internal.ts";
import {
  AI_GATEWAY_HOST,
  AI_GATEWAY_URL_VARIABLE,
  METRICS_ENDPOINT_VARIABLE,
  METRICS_HOST,
  SHARED_PROCESSES,
} from "#workers/contracts/tenant/sandbox.ts";

const SCRIPTS = import.meta.dirname;
/** Command of the reference gateway, which replaces OpenClaw. */
export const REFERENCE_GATEWAY: readonly string[] = [process.execPath, join(SCRIPTS, "reference/gateway.mjs")];
const REFERENCE_DOCTOR: readonly string[] = [process.execPath, join(SCRIPTS, "reference/doctor.mjs")];

/**
 * @param options.command of the gateway; `{port}` and `{bind}` are replaced. Default: the reference gateway's
 * @param options.versionCommand prints the gateway's name and version. Default: the reference gateway's; none for another gateway
 * @param options.doctorCommand see `doctor/doctor.mjs`; the same default
 */
export function gatewayProcessImage(
  options: {
    command?: readonly string[] | undefined;
    versionCommand?: readonly string[] | undefined;
    doctorCommand?: readonly string[] | undefined;
  } = {},
): ProcessImage {
  const { command = REFERENCE_GATEWAY } = options;
  const isReference = command.at(-1) === REFERENCE_GATEWAY.at(-1);
  const versionCommand = options.versionCommand ?? (isReference ? [...REFERENCE_GATEWAY, "--version"] : undefined);
  const doctorCommand = options.doctorCommand ?? (isReference ? REFERENCE_DOCTOR : undefined);
  return {
    scripts: SCRIPTS,
    scriptsAt: "/opt/tenantry",
    variables: {
      GATEWAY_BIND: "loopback",
      GATEWAY_COMMAND: JSON.stringify(command),
      ...(versionCommand && { GATEWAY_VERSION_COMMAND: JSON.stringify(versionCommand) }),
      ...(doctorCommand && { GATEWAY_DOCTOR_COMMAND: JSON.stringify(doctorCommand) }),
    },
    commands: ["GATEWAY_COMMAND", "GATEWAY_VERSION_COMMAND", "GATEWAY_DOCTOR_COMMAND"],
    port: { number: GATEWAY_PORT, variable: "GATEWAY_PORT" },
    hosts: {
      [METRICS_ENDPOINT_VARIABLE]: `http://${METRICS_HOST}${METRICS_PATH}`,
      [AI_GATEWAY_URL_VARIABLE]: `http://${AI_GATEWAY_HOST}`,
    },
    folders: ["state", "logs", "run"],
    // From an earlier container on the same disk; see `idle.sh`.
    onStart: "rmdir /workspace/run/ending",
    onTerminate: "sh /opt/tenantry/idle.sh ending",
    unconfined: {
      STATE_DIR: "{workspace}/state",
      LOG_DIR: "{workspace}/logs",
      RUN_DIR: "{workspace}/run",
      TENANTRY_SCRIPTS: "{scripts}",
      [SHARED_PROCESSES]: "true",
    },
  };
}
