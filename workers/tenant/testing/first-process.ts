/** Finds the first process of a tenant's container. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Tenant } from "./harness.ts";
import { gatewayOf } from "./sleeping-tenant.ts";

const namespaceOf = (pid: number): string => readlinkSync(`/proc/${pid}/ns/pid`);

/** @returns its process id on the machine @throws Error when no gateway runs, or its container has no PID namespace */
export function firstProcessOf(tenant: Tenant): number {
  const namespace = namespaceOf(gatewayOf(tenant));
  const first = readdirSync("/proc").find((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const [, ids = ""] = /^NSpid:\s+(.+)$/m.exec(readFileSync(`/proc/${name}/status`, "utf8")) ?? [];
      return ids.split("\t").length > 1 && ids.endsWith("\t1") && namespaceOf(Number(name)) === namespace;
    } catch {
      // It has ended, or belongs to another user.
      return false;
    }
  });
  if (first === undefined) throw new Error("The container has no first process.");
  return Number(first);
}
