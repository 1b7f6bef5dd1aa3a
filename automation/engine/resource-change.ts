/** What a run makes of one resource, out of the events that the engine tells: in a preview what it would make of it. */
import { isDeepStrictEqual } from "node:util";
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import * as z from "zod";

const columns = z.record(z.string(), z.unknown());

export const resourceChange = z.object({
  /** The engine's word: `create`, `update`, `delete`, `replace`, `same`, …; of drift `update`, `delete` or `same`. */
  operation: z.string(),
  urn: z.string(),
  /** Such as `tenantry:index:ContainerApplication`. */
  type: z.string(),
  /** URN of the resource that it belongs to; empty for the stack. */
  parent: z.string(),
  /** Paths of what changes, such as `values.billing_plan`; empty where nothing was there before. */
  paths: z.array(z.string()),
  /** Columns of a database record that the stack owns, before and after; nothing of what else there is, which may be secret. */
  before: columns.optional(),
  after: columns.optional(),
});
export type ResourceChange = z.infer<typeof resourceChange>;

const RECORD = "tenantry:index:DatabaseRecord";
const record = z.object({ inputs: z.object({ values: columns }) });

/** Hears of every resource of a run, unchanged ones too. */
export function changeListener(onChange: (change: ResourceChange) => void): (event: EngineEvent) => void {
  return ({ resourcePreEvent, resOutputsEvent }) => {
    const begun = resourcePreEvent?.metadata;
    if (begun !== undefined && begun.op !== "refresh") onChange(changeOf(begun, begun.op, pathsOf(begun)));
    // What a refresh finds shows when it has read the resource.
    const read = resOutputsEvent?.metadata;
    if (read?.op === "refresh") {
      const paths = changedPaths(read.old?.outputs, read.new?.outputs);
      onChange(changeOf(read, read.new === undefined ? "delete" : paths.length > 0 ? "update" : "same", paths));
    }
  };
}

function changeOf(metadata: StepEventMetadata, operation: string, paths: string[]): ResourceChange {
  const valuesOf = (state: unknown) =>
    metadata.type === RECORD ? record.safeParse(state).data?.inputs.values : undefined;
  const before = valuesOf(metadata.old);
  const after = valuesOf(metadata.new);
  return {
    operation,
    urn: metadata.urn,
    type: metadata.type,
    parent: metadata.new?.parent ?? metadata.old?.parent ?? "",
    paths,
    ...(before && { before }),
    ...(after && { after }),
  };
}

function pathsOf({ detailedDiff, diffs }: StepEventMetadata): string[] {
  return Object.keys(detailedDiff ?? {}).length > 0 ? Object.keys(detailedDiff ?? {}) : (diffs ?? []);
}

/** Names of what differs, two levels deep. */
function changedPaths(before: unknown, after: unknown, depth = 2): string[] {
  const [old, now] = [columns.safeParse(before).data ?? {}, columns.safeParse(after).data ?? {}];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    if (isDeepStrictEqual(old[name], now[name])) return [];
    const inner = depth > 1 && [old[name], now[name]].every((value) => columns.safeParse(value).success);
    return inner ? changedPaths(old[name], now[name], depth - 1).map((path) => `${name}.${path}`) : [name];
  });
}
