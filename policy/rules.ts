import type { Policies } from "@pulumi/policy";
import { accessForEveryone } from "./rules/access-for-everyone.ts";
import { aiSpendLimits } from "./rules/ai-spend-limits.ts";
import { backupBuckets } from "./rules/backup-buckets.ts";
import { groupOnlyAccess } from "./rules/group-only-access.ts";
import { piiFilter } from "./rules/pii-filter.ts";
import { plainSecrets } from "./rules/plain-secrets.ts";
import { planLimitsRule } from "./rules/plan-limits.ts";
import { scriptTags } from "./rules/script-tags.ts";
import { slugs } from "./rules/slugs.ts";

export const rules: Readonly<Policies> = [
  accessForEveryone,
  groupOnlyAccess,
  plainSecrets,
  piiFilter,
  slugs,
  backupBuckets,
  scriptTags,
  planLimitsRule,
  aiSpendLimits,
];
