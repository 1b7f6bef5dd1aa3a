import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import * as z from "zod";

const columns = z.record(z.string(), z.unknown());

export const resourceChange = z.object({
  /** Operation of the engine: `create`, `update`, `delete`, `replace`, `same`, …; for drift `update`, `delete` or `same`. */
  operation: z.string(),
  urn: z.string(),
  type: z.string(),
  /** URN of the parent; empty for the stack. */
  parent: z.string(),
  /** Paths of changed properties, such as `values.billing_plan`; empty for a new resource. */
  paths: z.array(z.string()),
  /** Columns of a database record. Other inputs may be secret. */
  before: columns.optional(),
  after: columns.optional(),
});
export type ResourceChange = z.infer<typeof resourceChange>;

const RECORD = "tenantry:index:DatabaseRecord";
const record = z.object({ inputs: z.object({ values: columns }) });

/** Reports every resource of a run, also unchanged ones. @param when `begun`: before it changes. `done`: after it, for a refresh */
export function changeListener(
  when: "begun" | "done",
  onChange: (change: ResourceChange) => void,
): (event: EngineEvent) => void {
  return ({ resourcePreEvent, resOutputsEvent }) => {
    const metadata = (when === "begun" ? resourcePreEvent : resOutputsEvent)?.metadata;
    if (metadata !== undefined) onChange(changeOf(metadata));
  };
}

function changeOf(metadata: StepEventMetadata): ResourceChange {
  const valuesOf = (state: unknown) =>
    metadata.type === RECORD ? record.safeParse(state).data?.inputs.values : undefined;
  const before = valuesOf(metadata.old);
  const after = valuesOf(metadata.new);
  return {
    operation: metadata.op,
    urn: metadata.urn,
    type: metadata.type,
    parent: metadata.new?.parent ?? metadata.old?.parent ?? "",
    paths: pathsOf(metadata),
    ...(before && { before }),
    ...(after && { after }),
  };
}

function pathsOf({ detailedDiff, diffs }: StepEventMetadata): string[] {
  return Object.keys(detailedDiff ?? {}).length > 0 ? Object.keys(detailedDiff ?? {}) : (diffs ?? []);
}
