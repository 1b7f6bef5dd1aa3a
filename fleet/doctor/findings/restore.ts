/** Data that a restore of the database may have lost and that leaves no trace in the account. */
import type { Conclusion, Evidence, Finding } from "../evidence.ts";

export function unfinishedRestores({ restores, platform }: Evidence): Conclusion[] {
  const about = "restore";
  if ("fault" in restores) return [{ about, fault: `restores: ${restores.fault}` }];
  const finish = `run npm run fleet -- restore --finish --stack ${platform.stack}`;
  const findings = restores.found.flatMap(({ restoredAt, dumpedAt, invoices }): Finding[] => {
    const [dumped, restored] = [dumpedAt.toISOString(), restoredAt.toISOString()];
    return [
      {
        what: "database",
        name: "restore",
        identity: restored,
        createdAt: restored,
        why: `it was restored at ${restored} to its state of ${dumped}; later changes are lost`,
        remedy: `follow docs/how-to/restore-the-database.md, then ${finish}`,
      },
      ...invoices.map(({ month, slug }) => ({
        what: "invoice",
        name: `${month} of ${slug}`,
        identity: `${restored}/${month}/${slug}`,
        tenant: slug,
        why: `it may have been issued between ${dumped} and ${restored}`,
        remedy: `after the automation service has issued it again, compare it with the copy that was sent; then ${finish}`,
      })),
    ];
  });
  return [{ about, findings }];
}
