import type { Conclusion, Evidence } from "./evidence.ts";
import { bucketsWithoutOwners } from "./findings/bucket-without-owner.ts";
import { deployedTenants } from "./findings/deployed-tenant.ts";
import { failedPushes } from "./findings/failed-push.ts";
import { interruptedRuns } from "./findings/interrupted-run.ts";
import { lateJobs } from "./findings/late-job.ts";
import { memberDifferences } from "./findings/member.ts";
import { refusedChannels } from "./findings/refused-channel.ts";
import { unfinishedRestores } from "./findings/restore.ts";
import { rowsWithoutStacks } from "./findings/row-without-stack.ts";
import { schemaDifferences } from "./findings/schema.ts";
import { stacksWithoutRows } from "./findings/stack-without-row.ts";
import { badTokens } from "./findings/token.ts";
import { unknownResources } from "./findings/unknown-resource.ts";
import type { FindingKind } from "./report.ts";

export const RULES: Readonly<Record<FindingKind, (evidence: Evidence) => Conclusion[]>> = {
  schema: schemaDifferences,
  interrupted_run: interruptedRuns,
  stack_without_row: stacksWithoutRows,
  row_without_stack: rowsWithoutStacks,
  deployed_tenant: deployedTenants,
  member: memberDifferences,
  unknown_resource: unknownResources,
  token: badTokens,
  bucket_without_owner: bucketsWithoutOwners,
  late_job: lateJobs,
  failed_push: failedPushes,
  refused_channel: refusedChannels,
  restore: unfinishedRestores,
};
