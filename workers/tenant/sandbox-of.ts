import { cloudflareSandbox } from "./cloudflare-sandbox.ts";
import type { TenantEnv } from "./env.ts";
import { localSandbox } from "./local-sandbox.ts";
import type { SandboxPort } from "./sandbox-port.ts";

/** The tenant's sandbox: the local edge's where it is bound, else the Cloudflare container. */
export function sandboxOf(env: TenantEnv): SandboxPort {
  return env.SANDBOX_HOST === undefined ? cloudflareSandbox(env.Sandbox) : localSandbox(env.SANDBOX_HOST);
}
