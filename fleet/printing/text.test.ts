import { expect, test } from "vitest";
import { outcome, previewOf, samplePreview, stackReport } from "../testing/sample-report.ts";
import { asText } from "./text.ts";

test("prints a line for each changed tenant, with totals, notes and faults", () => {
  expect(asText(samplePreview)).toBe(`4 tenants, 1 created, 1 changed, 1 removed, 1 unchanged, 1 stack failed

tenant    stack      change   resources  plan         AI gateway          container                  per month
acme      prod-acme  changed  ~3 ±1      basic → pro  pool-a (pooled)     restarts, backed up first  +$70.00
(shared)  prod-acme  created  +1
new       prod-new   created  ?          free         chosen by the run
gone      prod-gone  removed  -14        basic        of-mine (external)  ends without a backup      -$29.00

flat fees: +$41.00 per month

prod-new: previewed without the passphrase

prod-bad failed: unknown plan \`gold\`
  use \`\`\`another\`\`\` | or`);
});

test("prints the platform when a file names several", () => {
  const tenants = [outcome("acme", { fate: "made", plan: { before: null, after: "free" } })];
  const drift = [{ tenant: "acme", type: "AiGateway", name: "own", what: "gone" as const, paths: [] }];
  const others = { made: 1, changed: 0, replaced: 0, removed: 0 };
  const report = previewOf(
    stackReport("prod-acme", { platform: "tenantry/eu-2", tenants, others, drift }),
    stackReport("prod-lab", { tenants, drift }),
  );
  const cells = (text: string) =>
    text
      .split("\n")
      .slice(2)
      .map((line) => line.split(/ {2,}/));
  expect(cells(asText(report)).map((row) => row.slice(0, 4))).toEqual([
    ["tenant", "stack", "platform", "change"],
    ["acme", "prod-acme", "tenantry/eu-2", "created"],
    ["(shared)", "prod-acme", "tenantry/eu-2", "created"],
    ["acme", "prod-lab", "created", "free"],
  ]);
  expect(cells(asText({ ...report, command: "drift" }))).toEqual([
    ["tenant", "stack", "platform", "resource", "change", "properties"],
    ["acme", "prod-acme", "tenantry/eu-2", "AiGateway own", "deleted"],
    ["acme", "prod-lab", "AiGateway own", "deleted"],
  ]);
});

test("prints a line for each resource with drift", () => {
  const drift = [
    { tenant: "acme", type: "AiGateway", name: "own", what: "changed" as const, paths: ["logpush", "zdr"] },
    { tenant: null, type: "DatabaseRecord", name: "globex", what: "gone" as const, paths: [] },
  ];
  const report = {
    ...previewOf(stackReport("prod-acme", { drift }), stackReport("calm", {})),
    command: "drift" as const,
  };
  expect(asText(report)).toBe(`2 stacks, 1 with drift

tenant    stack      resource               change   properties
acme      prod-acme  AiGateway own          changed  logpush, zdr
(shared)  prod-acme  DatabaseRecord globex  deleted`);
});
