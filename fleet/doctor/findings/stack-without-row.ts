/** Stacks of tenants without a row, because the row was deleted or the database was restored. */
import { stackName } from "#domain/tenants/owner.ts";
import type { Conclusion, Evidence, Finding } from "../evidence.ts";
import type { StackFacts } from "../stacks/stack-facts.ts";
import { pulumiCommand, removalCommand, upCommand } from "./commands.ts";

export function stacksWithoutRows(evidence: Evidence): Conclusion[] {
  const { platform, own, rows } = evidence;
  const about = "stack_without_row";
  if ("fault" in rows) return [{ about, fault: `stacks without rows: ${rows.fault}` }];
  const { tenants, jobs } = rows.found;
  const hasInstance = new Map(tenants.map(({ slug, instance }) => [slug, instance !== null]));
  const hasJob = new Set(jobs.map(({ slug }) => slug));
  const findings = own.flatMap((facts): Finding[] => {
    const { stack, tenants: slugs, isEmpty } = facts;
    const name = stackName(stack);
    const finding = { what: "stack", name: stack };
    if (isEmpty && stack !== platform.stack) {
      if ([...hasJob].some((slug) => name.endsWith(`-${slug}`))) return [];
      const remedy = `run npx pulumi -C tenants stack rm ${name}`;
      return [{ ...finding, identity: stack, why: "it has no resources", remedy }];
    }
    return slugs
      .filter((slug) => hasInstance.get(slug) !== true && !hasJob.has(slug))
      .map((slug) => ({
        ...finding,
        identity: `${stack}/${slug}`,
        tenant: slug,
        why: hasInstance.has(slug)
          ? "the database has its client, but no instance"
          : "the database does not have its client",
        remedy: remedyOf(slug, facts, evidence),
      }));
  });
  return [{ about, findings }];
}

/** Only the automation service deploys a stack of the dashboard. */
function remedyOf(slug: string, { stack, deployed }: StackFacts, evidence: Evidence): string {
  const { managedBy, gatewayId } = deployed.get(slug) ?? {};
  const removal = `to remove it, ${removalCommand(stack, evidence)}`;
  if (managedBy === "dashboard")
    return `create the client ${slug} and its instance again in the dashboard, which adopt the stack; ${removal}`;
  const gateway = gatewayId === undefined ? "" : ` (with aiGateway: ${gatewayId}, to keep that AI gateway)`;
  return `run ${pulumiCommand("refresh", stack, evidence)}, then ${upCommand(stack, evidence)}${gateway}; ${removal}`;
}
