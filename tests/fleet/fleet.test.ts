import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Cloudflare from "cloudflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { DEFAULT_PRICES } from "#domain/billing/default-prices.ts";
import { scratchRepository } from "#fleet/testing/repository.ts";
import { ACCOUNT_ID } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { pulumi, ROOT } from "../testing/engine.ts";
import { clientSettings, encryptByPassphrase, openEdge, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { killFleets, reportOf, runFleet } from "./testing/fleet-run.ts";

let edge: Edge;
let close: () => Promise<void>;
beforeAll(async () => {
  encryptByPassphrase();
  ({ edge, close } = await openEdge());
  await (await stackOf(edge, platformSettings([]))).up();
});
afterAll(async () => {
  killFleets();
  await close();
});

/** Returns a stack file. */
const declaring = (...clients: Parameters<typeof clientSettings>[0]) =>
  `config: ${JSON.stringify({
    "tenantry:platformStack": "organization/tenantry/whole",
    "tenantry:clients": clientSettings(clients),
  })}\n`;

/** Returns all content of the backend. */
function backend(): Record<string, string> {
  const root = join(edge.directory, "pulumi");
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "latin1")]),
  );
}

const rows = () => sql(edge, "select c.slug, c.billing_plan, c.managed_by from tenantry.clients c order by slug");

test("previews and deploys a tenant from its new file to its deleted one", async () => {
  const repository = scratchRepository();
  const { directory } = repository;
  const base = repository.commit();
  repository.write("prod-acme", declaring({ slug: "acme", partner: "globex" }));
  repository.write("prod-broken", declaring({ slug: "broken", plan: "gold" }));
  const tenants = ["--tenants", directory];
  const before = { backend: backend(), account: edge.store.counts(), rows: await rows() };

  // A new file, beside an invalid one.
  const first = await reportOf(edge, ["preview", "--since", base, ...tenants]);
  expect(first).toMatchObject({ code: 1, since: base });
  expect(first.stacks).toMatchObject([
    {
      stack: "prod-acme",
      basis: "engine",
      fault: null,
      others: { made: 0 },
      tenants: [
        {
          slug: "acme",
          fate: "made",
          resources: { changed: 0, replaced: 0, removed: 0 },
          plan: { before: null, after: "basic" },
          aiGateway: { before: null, after: "pool-a", kind: "pooled" },
          containerEnds: false,
          monthlyDifference: 29_000_000,
        },
      ],
    },
    { stack: "prod-broken", basis: "none", fault: expect.stringContaining("tenantry:clients[0].plan") },
  ]);
  expect(first.stacks[0]?.tenants[0]?.resources?.made).toBeGreaterThan(10);
  expect({ backend: backend(), account: edge.store.counts(), rows: await rows() }).toEqual(before);

  // Without the passphrase it decrypts nothing, and reports what is unknown.
  const blind = await runFleet(edge, ["preview", "--markdown", "prod-acme", ...tenants], {
    PULUMI_CONFIG_PASSPHRASE: undefined,
  });
  expect(blind, blind.progress).toMatchObject({ code: 0 });
  expect(blind.output).toContain("| acme | prod-acme | created | ? | basic | chosen by the run |");
  expect(blind.output).toContain("previewed without the passphrase");

  repository.remove("prod-broken");
  const wrong = await runFleet(edge, ["preview", "prod-acme", ...tenants], { PULUMI_CONFIG_PASSPHRASE: "another" });
  expect(wrong, wrong.progress).toMatchObject({ code: 1 });
  expect(wrong.output).toContain("prod-acme failed: its secrets are encrypted with another passphrase");

  const up = await runFleet(edge, ["up", "--since", base, ...tenants]);
  expect(up, up.progress).toMatchObject({ code: 0 });
  expect(up.output).toMatch(/acme +prod-acme +created +\+\d+ +basic +pool-a \(pooled\) +\+\$29\.00/);
  expect(edge.store.get("script", "tenants/tenant-acme")).toBeDefined();
  const deployed = repository.commit();

  // No changes are left, and the engine's command line accepts the same file.
  const none = await reportOf(edge, ["preview", "--detailed-exitcode", ...tenants]);
  expect(none).toMatchObject({ code: 0, stacks: [{ tenants: [{ slug: "acme", fate: "unchanged" }] }] });
  const file = join(directory, "Pulumi.prod-acme.yaml");
  const plain = await pulumi(edge, join(ROOT, "tenants"), [
    "preview",
    "--expect-no-changes",
    "-s",
    "prod-acme",
    "--config-file",
    file,
  ]);
  expect(plain, plain.output).toMatchObject({ code: 0 });

  // A changed plan.
  repository.write(
    "prod-acme",
    readFileSync(file, "utf8").replace('"basic"', '"pro"').replace("plan: basic", "plan: pro"),
  );
  const change = ["preview", "--since", deployed, "--detailed-exitcode", ...tenants];
  const comment = await runFleet(edge, [...change, "--markdown"]);
  expect(comment, comment.progress).toMatchObject({ code: 2 });
  expect(comment.output).toMatch(
    /\| acme \| prod-acme \| changed \| \\~\d+ \| basic → pro \| pool-a \(pooled\) \| restarts, backed up first \| \+\$70\.00 \|/,
  );
  const bySight = await runFleet(edge, [...change, "--without-secrets"]);
  expect(bySight.output).toMatch(
    /acme +prod-acme +changed +\? +basic → pro +pool-a +restarts, backed up first +\+\$70\.00/,
  );
  expect(await runFleet(edge, ["up", ...tenants])).toMatchObject({ code: 0 });
  expect(await rows()).toMatchObject([{ slug: "acme", billing_plan: "pro", managed_by: "git" }]);
  const changed = repository.commit();

  // A manual change.
  expect(await reportOf(edge, ["drift", "--detailed-exitcode", ...tenants])).toMatchObject({ code: 0 });
  const api = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
  const token = edge.store.list("api_token").find(({ name }) => name.includes("acme"));
  if (token === undefined) throw new Error("acme has no token");
  await api.put(`/accounts/${ACCOUNT_ID}/tokens/${token.id}`, {
    body: { name: token.name, policies: token.policies, status: "disabled" },
  });
  const untouched = backend();
  const drift = await reportOf(edge, ["drift", "--detailed-exitcode", ...tenants]);
  expect(drift).toMatchObject({
    code: 2,
    stacks: [{ drift: [{ tenant: "acme", type: "AccountToken", what: "changed", paths: ["status"] }] }],
  });
  expect(backend()).toEqual(untouched);

  // A deleted file requires a separate option to delete the tenant.
  repository.remove("prod-acme");
  const since = ["--since", changed, "--detailed-exitcode", ...tenants];
  expect(await reportOf(edge, ["preview", ...since], { PULUMI_SKIP_CONFIRMATIONS: "true" })).toMatchObject({
    code: 2,
    stacks: [
      {
        removal: true,
        tenants: [
          {
            slug: "acme",
            fate: "removed",
            plan: { before: "pro", after: null },
            containerEnds: true,
            backedUpFirst: true,
            monthlyDifference: -99_000_000,
          },
        ],
      },
    ],
  });
  const held = await runFleet(edge, ["up", ...since]);
  expect(held).toMatchObject({ code: 2 });
  expect(held.output).toContain("run up with --destroy to destroy the stack");
  expect(edge.store.get("script", "tenants/tenant-acme")).toBeDefined();
  const gone = await runFleet(edge, ["up", ...since, "--destroy"]);
  expect(gone, gone.output).toMatchObject({ code: 0 });
  expect(edge.store.get("script", "tenants/tenant-acme")).toBeUndefined();
  expect(await rows()).toEqual([]);
  expect(await reportOf(edge, ["preview", ...since])).toMatchObject({
    code: 0,
    stacks: [{ tenants: [], notes: ["it is destroyed already"] }],
  });
});

const prices = z.array(z.object({ plan: z.string(), metric: z.string(), micros: z.coerce.bigint() }));

test("uses the initial fees of price lists", async () => {
  const seeded = await sql(edge, "select plan, metric, micros from tenantry.prices where environment = 'production'");
  const byName = (list: z.infer<typeof prices>) =>
    Object.fromEntries(list.map(({ plan, metric, micros }) => [`${plan} ${metric}`, micros]));
  expect(byName(prices.parse(seeded))).toEqual(byName([...DEFAULT_PRICES]));
});
