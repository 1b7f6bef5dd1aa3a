/** Stacks of tenants whom the database does not have: their row was deleted, or their database was restored. */
import type { Conclusion, Evidence, Finding } from "../evidence.ts";

export function stacksWithoutRows({ platform, own, rows }: Evidence): Conclusion[] {
  const about = "stack_without_row";
  if ("fault" in rows) return [{ about, fault: `stacks without rows: ${rows.fault}` }];
  const { tenants, jobs } = rows.found;
  const hasRow = new Map(tenants.map(({ slug, instance }) => [slug, instance !== null]));
  const hasJob = new Set(jobs.map(({ slug }) => slug));
  const findings = own.flatMap(({ stack, tenants: slugs, isEmpty }): Finding[] => {
    const name = stack.split("/").at(-1) ?? stack;
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
        remedy: `npm run fleet -- drift ${name}, then take it in: npx pulumi -C tenants refresh -s ${name}, and up; or npx pulumi -C tenants destroy -s ${name}`,
      }));
  });
  return [{ about, findings }];
}
