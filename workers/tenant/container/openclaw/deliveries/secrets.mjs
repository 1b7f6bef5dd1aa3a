/**
 * Secrets for OpenClaw's process. `run.mjs` passes them through a pipe: other programs in the container can read a process's environment and
 * files, but not a pipe that its process has read.
 */
import { createHmac } from "node:crypto";
import { closeSync, readFileSync } from "node:fs";

/** The pipe's file descriptor. */
const DESCRIPTOR = 3;
const VARIABLE = "TENANTRY_SECRETS";
const DESCRIPTOR_VARIABLE = "TENANTRY_SECRETS_FD";
/** Replaces the shell by the command, which reads the here-document from a pipe. */
const WITH_PIPE = `secrets=$${VARIABLE}
unset ${VARIABLE}
exec "$@" ${DESCRIPTOR}<<END
$secrets
END
`;

/** Returns the key that authenticates deliveries of the tenant's Worker, as in workers/tenant/inbox/request.ts. */
export const deliveryKey = (gatewayToken) =>
  createHmac("sha256", gatewayToken).update("tenantry-deliveries").digest("hex");

/** Replaces this process by a command that can {@link takeSecrets}. */
export function executeWith(secrets, [program, ...parameters], env) {
  const shell = ["sh", "-c", WITH_PIPE, "sh", program, ...parameters];
  process.execve("/bin/sh", shell, {
    ...env,
    [VARIABLE]: JSON.stringify(secrets),
    [DESCRIPTOR_VARIABLE]: String(DESCRIPTOR),
  });
}

/** Reads the secrets, once. @returns `undefined` in a thread or another process than that of {@link executeWith} */
export function takeSecrets() {
  const descriptor = Number(process.env[DESCRIPTOR_VARIABLE]);
  // Threads and child processes inherit the variable, but not the pipe.
  delete process.env[DESCRIPTOR_VARIABLE];
  if (descriptor !== DESCRIPTOR) return undefined;
  const secrets = JSON.parse(readFileSync(descriptor, "utf8"));
  closeSync(descriptor);
  return secrets;
}
