/** The first process of a tenant's container, as the machine sees it. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Tenant } from "./harness.ts";
import { gatewayOf } from "./sleeping-tenant.ts";

const namespaceOf = (pid: number): string => readlinkSync(`/proc/${pid}/ns/pid`);

/**
 * Its process number.
 *
 * @throws Error when no gateway runs, or its container has no PID namespace of its own
 */
export function firstProcessOf(tenant: Tenant): number {
  const namespace = namespaceOf(gatewayOf(tenant));
  const first = readdirSync("/proc").find((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const [, ids = ""] = /^NSpid:\s+(.+)$/m.exec(readFileSync(`/proc/${name}/status`, "utf8")) ?? [];
      return ids.split("\t").length > 1 && ids.endsWith("\t1") && namespaceOf(Number(name)) === namespace;
    } catch {
      // It ended just now, or is another user's.
      return false;
    }
  });
  if (first === undefined) throw new Error("the container has no first process of its own");
  return Number(first);
}
