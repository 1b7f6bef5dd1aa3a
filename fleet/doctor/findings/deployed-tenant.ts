/** Tenants whose stack has deployed something else than their row says: a job's effect that the database does not know. */
import type { Conclusion, Evidence, Finding } from "../evidence.ts";
import { pulumiCommand, upCommand } from "./commands.ts";

export function deployedTenants(evidence: Evidence): Conclusion[] {
  const { own, rows } = evidence;
  const about = "deployed_tenant";
  if ("fault" in rows) return [{ about, fault: `what is deployed of tenants: ${rows.fault}` }];
  const { tenants, jobs } = rows.found;
  const underWay = new Set(jobs.map(({ slug }) => slug));
  const findings = own.flatMap(({ stack, deployed }) =>
    [...deployed].flatMap(([slug, { plan, gatewayId, tokenVersion }]): Finding[] => {
      const row = tenants.find((one) => one.slug === slug);
      if (row?.instance === null || row === undefined || underWay.has(slug)) return [];
      const { instance } = row;
      return [
        ...differs("plan", plan, row.plan, `PUT /client/instance/${instance.id}/worker-plan/${plan}`),
        ...differs("AI gateway", gatewayId, instance.gatewayId, `POST /api/instances/${instance.id}/assign-gateway`),
        // Git declares its tenants' tokens, and the database does not know them.
        ...(instance.managedBy === "git"
          ? []
          : differs(
              "token version",
              tokenVersion,
              String(instance.tokenVersion),
              `POST /client/instance/${instance.id}/rotate-token`,
            )),
      ].map(({ what, why, request }) => ({
        what,
        name: slug,
        identity: `${instance.id}/${what}`,
        tenant: slug,
        createdAt: null,
        why: `the stack ${stack} has deployed ${why}`,
        remedy:
          instance.managedBy === "dashboard"
            ? `set what is right at the dashboard: ${request}`
            : `${pulumiCommand("refresh", stack, evidence)}, then ${upCommand(stack, evidence)}`,
      }));
    }),
  );
  return [{ about, findings }];
}

function differs(what: string, deployed: string | undefined, row: string | null, request: string) {
  if (deployed === undefined || deployed === row) return [];
  return [{ what, request, why: `the ${what} ${deployed}, and the database has ${row ?? "none"}` }];
}
