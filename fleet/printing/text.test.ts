import { expect, test } from "vitest";
import { outcome, previewOf, samplePreview, stackReport } from "../testing/sample-report.ts";
import { asText } from "./text.ts";

test("tells people a line a tenant that does not stay as it is, with totals, notes and faults", () => {
  expect(asText(samplePreview)).toBe(`4 tenants, 1 made, 1 changed, 1 removed, 1 unchanged, 1 stack failed

tenant    stack      what     resources  plan         AI gateway          container                  a month
acme      prod-acme  changed  ~3 ±1      basic → pro  pool-a (pooled)     restarts, backed up first  +$70.00
(shared)  prod-acme  made     +1
new       prod-new   made     ?          free         chosen by the run
gone      prod-gone  removed  -14        basic        of-mine (external)  ends without a backup      -$29.00

flat fees: +$41.00 a month

prod-new: told without the passphrase

prod-bad failed: unknown plan \`gold\`
  use \`\`\`another\`\`\` | or`);
});

test("tells the platform where any file names several", () => {
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
    ["tenant", "stack", "platform", "what"],
    ["acme", "prod-acme", "tenantry/eu-2", "made"],
    ["(shared)", "prod-acme", "tenantry/eu-2", "made"],
    ["acme", "prod-lab", "made", "free"],
  ]);
  expect(cells(asText({ ...report, command: "drift" }))).toEqual([
    ["tenant", "stack", "platform", "resource", "what", "where"],
    ["acme", "prod-acme", "tenantry/eu-2", "AiGateway own", "gone"],
    ["acme", "prod-lab", "AiGateway own", "gone"],
  ]);
});

test("tells of drift a line a resource", () => {
  const drift = [
    { tenant: "acme", type: "AiGateway", name: "own", what: "changed" as const, paths: ["logpush", "zdr"] },
    { tenant: null, type: "DatabaseRecord", name: "globex", what: "gone" as const, paths: [] },
  ];
  const report = {
    ...previewOf(stackReport("prod-acme", { drift }), stackReport("calm", {})),
    command: "drift" as const,
  };
  expect(asText(report)).toBe(`2 stacks, 1 of which something was changed by hand

tenant    stack      resource               what     where
acme      prod-acme  AiGateway own          changed  logpush, zdr
(shared)  prod-acme  DatabaseRecord globex  gone`);
});
