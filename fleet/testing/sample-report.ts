import { emptyReport, type FleetReport, type StackReport, type TenantOutcome } from "../outcome/report.ts";

export function outcome(slug: string, more: Partial<TenantOutcome>): TenantOutcome {
  return {
    slug,
    fate: "unchanged",
    resources: { made: 0, changed: 0, replaced: 0, removed: 0 },
    plan: { before: "basic", after: "basic" },
    aiGateway: { before: "pool-a", after: "pool-a", kind: "pooled" },
    containerEnds: false,
    backedUpFirst: false,
    monthlyDifference: 0,
    ...more,
  };
}

export function stackReport(stack: string, more: Partial<StackReport>): StackReport {
  return { ...emptyReport(stack, `Pulumi.${stack}.yaml`, false), basis: "engine", ...more };
}

export const previewOf = (...stacks: StackReport[]): FleetReport => ({ command: "preview", since: "main", stacks });

export const samplePreview = previewOf(
  stackReport("prod-acme", {
    tenants: [
      outcome("acme", {
        fate: "changed",
        resources: { made: 0, changed: 3, replaced: 1, removed: 0 },
        plan: { before: "basic", after: "pro" },
        containerEnds: true,
        backedUpFirst: true,
        monthlyDifference: 70_000_000,
      }),
      outcome("calm", {}),
    ],
    others: { made: 1, changed: 0, replaced: 0, removed: 0 },
  }),
  stackReport("prod-new", {
    basis: "files",
    tenants: [
      outcome("new", {
        fate: "made",
        resources: null,
        plan: { before: null, after: "free" },
        aiGateway: { before: null, after: null, kind: null },
      }),
    ],
    notes: ["previewed without the passphrase"],
  }),
  stackReport("prod-gone", {
    removal: true,
    tenants: [
      outcome("gone", {
        fate: "removed",
        resources: { made: 0, changed: 0, replaced: 0, removed: 14 },
        plan: { before: "basic", after: null },
        aiGateway: { before: "of-mine", after: null, kind: "external" },
        containerEnds: true,
        monthlyDifference: -29_000_000,
      }),
    ],
  }),
  stackReport("prod-bad", { basis: "none", fault: "unknown plan `gold`\n  use ```another``` | or" }),
);
