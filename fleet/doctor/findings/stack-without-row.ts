/** Stacks of tenants whom the database does not have: their row was deleted, or their database was restored. */
import { stackName } from "#domain/tenants/owner.ts";
import type { Conclusion, Evidence, Finding } from "../evidence.ts";
import type { StackFacts } from "../stacks/stack-facts.ts";
import { pulumiCommand, removalCommand, upCommand } from "./commands.ts";

export function stacksWithoutRows(evidence: Evidence): Conclusion[] {
  const { platform, own, rows } = evidence;
  const about = "stack_without_row";
  if ("fault" in rows) return [{ about, fault: `stacks without rows: ${rows.fault}` }];
  const { tenants, jobs } = rows.found;
  const hasRow = new Map(tenants.map(({ slug, instance }) => [slug, instance !== null]));
  const hasJob = new Set(jobs.map(({ slug }) => slug));
  const findings = own.flatMap((facts): Finding[] => {
    const { stack, tenants: slugs, isEmpty } = facts;
    const name = stackName(stack);
    const finding = { what: "stack", name: stack, createdAt: null };
    if (isEmpty && stack !== platform.stack) {
      if ([...hasJob].some((slug) => name.endsWith(`-${slug}`))) return [];
      const why = "it holds nothing";
      return [{ ...finding, identity: stack, tenant: null, why, remedy: `npx pulumi -C tenants stack rm ${name}` }];
    }
    return slugs
      .filter((slug) => hasRow.get(slug) !== true && !hasJob.has(slug))
      .map((slug) => ({
        ...finding,
        identity: `${stack}/${slug}`,
        tenant: slug,
        why: hasRow.has(slug) ? "the database has its client and no instance" : "the database has no such client",
        remedy: remedyOf(slug, facts, evidence),
      }));
  });
  return [{ about, findings }];
}

/** A stack of the dashboard's is brought up by the automation service alone. */
function remedyOf(slug: string, { stack, deployed }: StackFacts, evidence: Evidence): string {
  const { managedBy, gatewayId } = deployed.get(slug) ?? {};
  const removal = `to have it gone, ${removalCommand(stack, evidence)}`;
  if (managedBy === "dashboard")
    return `create the client ${slug} and its instance again at the dashboard, which take over the stack; ${removal}`;
  const gateway = gatewayId === undefined ? "" : ` (with aiGateway: ${gatewayId}, to keep that AI gateway)`;
  return `${pulumiCommand("refresh", stack, evidence)}, then ${upCommand(stack, evidence)}${gateway}; ${removal}`;
}
