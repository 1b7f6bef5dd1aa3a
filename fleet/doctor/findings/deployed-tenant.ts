/** Tenants whose deployment differs from their row, because the effect of a job is missing in the database. */
import type { Conclusion, Evidence, Finding } from "../evidence.ts";
import { pulumiCommand, upCommand } from "./commands.ts";

export function deployedTenants(evidence: Evidence): Conclusion[] {
  const { own, rows } = evidence;
  const about = "deployed_tenant";
  if ("fault" in rows) return [{ about, fault: `deployed tenants: ${rows.fault}` }];
  const { tenants, jobs } = rows.found;
  const changing = new Set(jobs.map(({ slug }) => slug));
  const findings = own.flatMap(({ stack, deployed }) =>
    [...deployed].flatMap(([slug, { plan, gatewayId, tokenVersion }]): Finding[] => {
      const row = tenants.find((tenant) => tenant.slug === slug);
      if (row?.instance === null || row === undefined || changing.has(slug)) return [];
      const { id, managedBy, gatewayId: rowGateway, tokenVersion: rowVersion } = row.instance;
      return [
        ...findDifference("plan", plan, row.plan, `PUT /client/instance/${id}/worker-plan/${plan}`),
        ...findDifference("AI gateway", gatewayId, rowGateway, `POST /api/instances/${id}/assign-gateway`),
        // The database does not have the token versions that Git declares.
        ...(managedBy === "git"
          ? []
          : findDifference(
              "token version",
              tokenVersion,
              String(rowVersion),
              `POST /client/instance/${id}/rotate-token`,
            )),
      ].map(({ what, why, request }) => ({
        what,
        name: slug,
        identity: `${id}/${what}`,
        tenant: slug,
        why: `the stack ${stack} has deployed ${why}`,
        remedy:
          managedBy === "dashboard"
            ? `set the correct value in the dashboard: ${request}`
            : `run ${pulumiCommand("refresh", stack, evidence)}, then ${upCommand(stack, evidence)}`,
      }));
    }),
  );
  return [{ about, findings }];
}

function findDifference(what: string, deployed: string | undefined, row: string | null, request: string) {
  if (deployed === undefined || deployed === row) return [];
  return [{ what, request, why: `the ${what} ${deployed}, and the database has ${row ?? "none"}` }];
}
