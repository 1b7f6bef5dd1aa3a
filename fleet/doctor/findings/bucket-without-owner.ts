/** Buckets of backups that no stack has. Production keeps them when a client goes, with what lies in them. */
import type { Thing } from "../account/thing.ts";
import type { Conclusion, Evidence, Finding } from "../evidence.ts";
import { findingOf, unowned } from "./unknown-resource.ts";

export function bucketsWithoutOwners(evidence: Evidence): Conclusion[] {
  const { account, platform, contents } = evidence;
  const about = "bucket";
  if ("fault" in account.bucket) return [{ about, fault: account.bucket.fault }];
  const kept: Thing[] = [];
  const findings: Finding[] = [];
  for (const bucket of unowned(account.bucket.found, evidence)) {
    const content = contents.get(bucket.name) ?? { fault: "nobody looked" };
    const finding = findingOf(bucket, platform);
    const empty = "found" in content && content.found.objects === 0;
    if (empty) findings.push({ ...finding, why: "no stack has it, and it is empty" });
    else if (platform.environment === "production" && "found" in content) kept.push(bucket);
    else {
      // Never removed: what lies there may be all that is left of a tenant.
      const { thing: _, ...told } = finding;
      const why =
        "found" in content
          ? "no stack has it, and it holds objects"
          : `no stack has it, and what it holds is not known: ${content.fault}`;
      findings.push({ ...told, why, remedy: "empty it if nobody needs what it holds; then --fix removes it" });
    }
  }
  return [{ about, findings, kept }];
}

/** Buckets whose content has to be looked at. */
export const bucketsToLookInto = ({ account, stacks }: Pick<Evidence, "account" | "stacks">): Thing[] =>
  "fault" in account.bucket ? [] : unowned(account.bucket.found, { stacks });
