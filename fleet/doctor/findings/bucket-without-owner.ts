/** Buckets of backups that no stack has. Production keeps a bucket with objects when its client is deleted. */
import type { AccountResource } from "../account/account-resource.ts";
import type { Conclusion, Evidence, Finding } from "../evidence.ts";
import { findingOf, unowned } from "./unknown-resource.ts";

export function bucketsWithoutOwners(evidence: Evidence): Conclusion[] {
  const { account, platform, contents } = evidence;
  const about = "bucket";
  if ("fault" in account.bucket) return [{ about, fault: account.bucket.fault }];
  const kept: AccountResource[] = [];
  const findings: Finding[] = [];
  for (const bucket of unowned(account.bucket.found, evidence)) {
    const content = contents.get(bucket.name) ?? { fault: "not checked" };
    const finding = findingOf(bucket, evidence);
    const empty = "found" in content && content.found.objects === 0;
    if (empty) findings.push({ ...finding, why: "no stack has it, and it is empty" });
    else if (platform.environment === "production" && "found" in content) kept.push(bucket);
    else {
      // Never removed: it may hold the only data that is left of a tenant.
      const { removable: _, ...plain } = finding;
      const why =
        "found" in content
          ? "no stack has it, and it holds objects"
          : `no stack has it, and its content is unknown: ${content.fault}`;
      findings.push({ ...plain, why, remedy: "delete its objects if nobody needs them; then --fix removes it" });
    }
  }
  return [{ about, findings, kept }];
}

export const bucketsWithoutStack = ({ account, stacks }: Pick<Evidence, "account" | "stacks">): AccountResource[] =>
  "fault" in account.bucket ? [] : unowned(account.bucket.found, { stacks });
