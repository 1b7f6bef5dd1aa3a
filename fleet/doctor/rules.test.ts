import { describe, expect, test } from "vitest";
import { RELEASE } from "#domain/release.ts";
import type { Conclusion, Evidence } from "./evidence.ts";
import type { FindingKind } from "./report.ts";
import { RULES } from "./rules.ts";
import { stackFacts } from "./stacks/stack-facts.ts";
import { accountResource, evidence, PLATFORM, rowsWith, stateOf, tenantRow, tenantStack } from "./testing/evidence.ts";

const conclude = (kind: FindingKind, given: Partial<Evidence> & Parameters<typeof evidence>[0] = {}): Conclusion[] =>
  RULES[kind](evidence(given));
const found = (conclusions: readonly Conclusion[]) =>
  conclusions.flatMap((one) => ("fault" in one ? [one.fault] : one.findings.map(({ name, why }) => `${name}: ${why}`)));
const job = { id: "7", kind: "provision", slug: "acme", deadline: new Date("2026-11-20T11:00:00Z"), late: false };
const rowsOf = (...tenants: ReturnType<typeof tenantRow>[]) => rowsWith({ tenants });
const DOWN = { fault: "failed to read the database: down" };

describe("the database's schema", () => {
  test("is reported with each difference, and the command that repairs it", () => {
    const schema = {
      found: { deployed: RELEASE, differences: ["The role a lacks SELECT on table tenantry.clients."] },
    };
    expect(conclude("schema", { schema })).toMatchObject([
      {
        findings: [
          {
            why: "The role a lacks SELECT on table tenantry.clients.",
            remedy: "npm run fleet -- repair --stack prod",
          },
        ],
      },
    ]);
  });

  test("of another version of the platform is reported with both versions", () => {
    expect(found(conclude("schema", { schema: { found: { deployed: "0.1.9", differences: [] } } }))).toEqual([
      `schema: The platform runs version 0.1.9; this is version ${RELEASE}.`,
    ]);
  });

  test("that cannot be read is a failed check", () => {
    expect(found(conclude("schema", { schema: DOWN }))).toEqual(["the schema: failed to read the database: down"]);
  });
});

describe("interrupted runs", () => {
  const begun = [
    { type: "cloudflare:index/accountToken:AccountToken", name: "acme", inputs: { name: "AI gateway of acme" } },
  ];
  const stack = tenantStack("acme", [], begun);

  test("are reported with pending operations and dead locks", () => {
    expect(found(conclude("interrupted_run", { stacks: [stack] }))).toEqual([
      "prod-acme: a run was interrupted while creating cloudflare:index/accountToken:AccountToken acme",
    ]);
    const locked = { living: new Set<string>(), dead: new Set(["prod-beta"]) };
    expect(found(conclude("interrupted_run", { stacks: [tenantStack("beta")], locked }))).toEqual([
      "prod-beta: the run that locked it is dead",
    ]);
  });

  test("are not reported while a run has the stack or the service has a job for it", () => {
    const locked = { living: new Set(["prod-acme"]), dead: new Set<string>() };
    expect(found(conclude("interrupted_run", { stacks: [stack], locked }))).toEqual([]);
    expect(found(conclude("interrupted_run", { stacks: [stack], rows: rowsWith({ jobs: [job] }) }))).toEqual([]);
  });

  test("keep a resource whose name a pending operation has", () => {
    const token = { ...accountResource("api_token", "acme"), name: "AI gateway of acme" };
    expect(found(conclude("token", { stacks: [stack], resources: [token] }))).toEqual([]);
    expect(found(conclude("token", { stacks: [tenantStack("acme")], resources: [token] }))).toHaveLength(1);
  });
});

describe("stacks and rows", () => {
  test("reports a stack without its tenant's row or instance, unless a job is provisioning it", () => {
    const stacks = [tenantStack("acme"), tenantStack("beta"), tenantStack("gamma")];
    const rows = rowsOf(tenantRow("beta", null), tenantRow("gamma"));
    expect(found(conclude("stack_without_row", { stacks, rows }))).toEqual([
      "prod-acme: the database does not have its client",
      "prod-beta: the database has its client, but no instance",
    ]);
    const busy = rowsWith({ tenants: [tenantRow("beta"), tenantRow("gamma")], jobs: [job] });
    expect(found(conclude("stack_without_row", { stacks, rows: busy }))).toEqual([]);
  });

  test("reports an empty stack", () => {
    const name = "production-gone";
    const stacks = [
      stackFacts(name, undefined, stateOf(name, [])),
      stackFacts(PLATFORM.stack, undefined, stateOf("prod", [])),
    ];
    expect(found(conclude("stack_without_row", { stacks }))).toEqual(["production-gone: it has no resources"]);
  });

  test("reports a row without a stack if the tenant was deployed", () => {
    const dashboards = { managedBy: "dashboard" } as const;
    const rows = rowsOf(
      tenantRow("acme", { owner: "urn:pulumi:prod-acme::tenantry::x::acme" }),
      tenantRow("beta"),
      { ...tenantRow("draft", null), ...dashboards },
      { ...tenantRow("failed", { ...dashboards, status: "error" }), ...dashboards },
      tenantRow("fresh", { status: "provisioning", underWay: true }),
    );
    expect(found(conclude("row_without_stack", { stacks: [tenantStack("beta")], rows }))).toEqual([
      "acme: no stack of the platform has acme; the row belongs to tenantry/prod-acme",
    ]);
  });

  test("gives the commands that repair each, by the manager of the tenant", () => {
    const deployed = (slug: string, managedBy: string) => {
      const values = { ai_gateway_id: "pool-a", managed_by: managedBy };
      const record = { type: "tenantry:index:DatabaseRecord", name: `instance-${slug}`, id: slug };
      return [
        { type: "tenantry:components:Client", name: slug },
        { type: "tenantry:index:NamespacedScript", name: slug, id: slug },
        { ...record, inputs: { table: "tenantry.instances", values } },
      ];
    };
    const stacks = [
      stackFacts("prod-acme", undefined, stateOf("prod-acme", deployed("acme", "git"))),
      stackFacts("prod-beta", undefined, stateOf("prod-beta", deployed("beta", "dashboard"))),
      stackFacts(PLATFORM.stack, undefined, stateOf(PLATFORM.stack, deployed("home", "git"))),
    ];
    const rows = rowsOf(
      tenantRow("former", { owner: "urn:pulumi:prod-former::tenantry::x::former" }),
      tenantRow("room", { owner: `urn:pulumi:${PLATFORM.stack}::tenantry::x::room` }),
    );
    const remedies = (kind: FindingKind, resources: ReturnType<typeof accountResource>[] = []) =>
      conclude(kind, { stacks, rows, resources }).flatMap((one) =>
        "fault" in one ? [one.fault] : one.findings.map(({ remedy }) => remedy),
      );
    expect(remedies("stack_without_row")).toEqual([
      "run npx pulumi -C tenants refresh -s prod-acme, then npm run fleet -- up prod-acme (with aiGateway: pool-a, to keep that AI gateway); to remove it, run npx pulumi -C tenants destroy --remove -s prod-acme",
      "create the client beta and its instance again in the dashboard, which adopt the stack; to remove it, run npx pulumi -C tenants destroy --remove -s prod-beta",
      "run npx pulumi refresh -s prod, then npx pulumi up -s prod (with aiGateway: pool-a, to keep that AI gateway); to remove it, delete it from the settings and run npx pulumi up -s prod",
    ]);
    expect(remedies("row_without_stack", [accountResource("bucket", "former")])).toEqual([
      expect.stringMatching(
        /^declare it again and deploy it: TENANTRY_ADOPT_BUCKETS=former npm run fleet -- up prod-former. .* To remove it, then run npx pulumi -C tenants destroy --remove -s prod-former$/,
      ),
      expect.stringMatching(/^declare it again and deploy it: npx pulumi up -s prod. .* delete it from the settings/),
    ]);
  });

  test("reports an instance whose operation was under way in a restored dump", () => {
    const rows = rowsOf(tenantRow("fresh", { status: "provisioning", underWay: true }));
    const [before, after] = [new Date("2026-11-20T11:40:00Z"), new Date("2026-11-20T11:55:00Z")];
    const restored = (restoredAt: Date) => ({ found: [{ dumpedAt: before, restoredAt, invoices: [] }] });
    expect(found(conclude("row_without_stack", { rows, restores: restored(before) }))).toEqual([]);
    expect(found(conclude("row_without_stack", { rows, restores: restored(after) }))).toHaveLength(1);
  });

  test("draws no conclusion when the database cannot be read", () => {
    for (const kind of [
      "stack_without_row",
      "row_without_stack",
      "late_job",
      "failed_push",
      "refused_channel",
    ] as const) {
      const conclusions = conclude(kind, { stacks: [tenantStack("acme")], rows: DOWN });
      expect(conclusions, kind).toMatchObject([{ about: kind, fault: expect.stringContaining("down") }]);
    }
  });
});

describe("resources of the account", () => {
  test("are owned by the stack of any project that has their id", () => {
    const group = accountResource("access_group", "acme", "group-id");
    const state = stateOf("x", [{ type: "tenantry:index:MemberGroup", name: "acme", id: "account/group-id" }]);
    const stacks = [stackFacts("organization/other/x", undefined, state)];
    expect(found(conclude("unknown_resource", { resources: [group], stacks }))).toEqual([]);
    expect(found(conclude("unknown_resource", { resources: [group] }))).toEqual([
      "access_group of acme: no stack has it",
    ]);
  });

  test("reports a kind that cannot be listed, and the findings of the others", () => {
    const whole = evidence({ resources: [accountResource("script", "acme")] });
    const account = { ...whole.account, access_group: { fault: "permission denied" } };
    expect(found(RULES.unknown_resource({ ...whole, account }))).toEqual([
      "script of acme: no stack has it",
      "permission denied",
    ]);
  });

  test.each([
    [{ status: "active", expiresOn: null }, []],
    [{ status: "active", expiresOn: "2027-11-20T12:00:00Z" }, []],
    [{ status: "disabled", expiresOn: null }, ["t: it is disabled; the stack prod-acme has it"]],
    [{ status: "expired", expiresOn: null }, ["t: it expired; the stack prod-acme has it"]],
    [
      { status: "active", expiresOn: "2026-11-20T11:59:00Z" },
      ["t: it expired at 2026-11-20T11:59:00Z; the stack prod-acme has it"],
    ],
    [
      { status: "active", expiresOn: "2026-11-30T00:00:00Z" },
      ["t: it expires at 2026-11-30T00:00:00Z; the stack prod-acme has it"],
    ],
  ])("reports a stack's token that is %j", (state, expected) => {
    const tokens = {
      found: [
        { id: "token-id", name: "t", ...state },
        { id: "another's", name: "u", status: "expired", expiresOn: null },
      ],
    };
    expect(found(conclude("token", { tokens, stacks: [tenantStack("acme", ["token-id"])] }))).toEqual(expected);
  });

  test("keeps buckets with objects, and reports those outside production", () => {
    const bucket = accountResource("bucket", "former");
    const filled = new Map([[bucket.name, { found: { objects: 3, bytes: 9, more: false } }]]);
    const empty = new Map([[bucket.name, { found: { objects: 0, bytes: 0, more: false } }]]);
    const unread = new Map([[bucket.name, { fault: "down" }]]);
    const resources = [bucket];
    expect(conclude("bucket_without_owner", { resources, contents: filled })).toMatchObject([
      { findings: [], kept: [bucket] },
    ]);
    expect(conclude("bucket_without_owner", { resources, contents: empty })).toMatchObject([
      { findings: [{ removable: bucket }], kept: [] },
    ]);
    const platform = { ...PLATFORM, environment: "staging" } as const;
    for (const [contents, more] of [
      [filled, { platform }],
      [unread, {}],
      [unread, { platform }],
    ] as const) {
      const [conclusion] = conclude("bucket_without_owner", { resources, contents, ...more });
      expect(conclusion).toMatchObject({ findings: [{ name: bucket.name }], kept: [] });
      expect(conclusion).not.toMatchObject({ findings: [{ removable: bucket }] });
    }
  });
});

test("reports a job past its deadline", () => {
  const rows = rowsWith({ jobs: [job, { ...job, id: "8", late: true }] });
  expect(found(conclude("late_job", { rows }))).toEqual([
    "provision of acme: its deadline was 2026-11-20T11:00:00.000Z",
  ]);
});

describe("members", () => {
  const group = {
    group: "Members of acme.agents.example.com",
    tenant: "acme",
    inGroup: ["known@acme.example", "later@acme.example"],
    included: ["declared@acme.example"],
    inDatabase: ["declared@acme.example", "known@acme.example", "left@acme.example"],
  };
  const members = { found: [group] };

  test("are reported with a remedy when only one side has them", () => {
    const [conclusion] = conclude("member", { members });
    expect(conclusion).toMatchObject({
      findings: [
        {
          name: "later@acme.example",
          tenant: "acme",
          why: "the Access group 'Members of acme.agents.example.com' has this member, and the database does not",
          remedy: expect.stringContaining("invite the user to the users of acme"),
        },
        {
          name: "left@acme.example",
          why: "the database has this user, and the Access group 'Members of acme.agents.example.com' does not",
          remedy: expect.stringContaining("before the automation service runs"),
        },
      ],
    });
  });

  test("are not reported for a tenant with an open job, which sets them when it ends", () => {
    const rows = rowsWith({ tenants: [tenantRow("acme")], jobs: [job] });
    expect(found(conclude("member", { members: { found: [{ ...group, tenant: job.slug }] }, rows }))).toEqual([]);
  });

  test("are reported as a failed check when they cannot be read", () => {
    expect(conclude("member", { members: { fault: "permission denied" } })).toEqual([
      { about: "member", fault: "permission denied" },
    ]);
  });
});

describe("the deployment of a tenant", () => {
  const plan = (name: string) => ({ tags: ["customer_id:x", `plan:${name}`, "env:production"] });
  const stack = (managed: string, gateway: string) =>
    stackFacts(
      "prod-acme",
      undefined,
      stateOf("prod-acme", [
        { type: "tenantry:components:Client", name: "acme" },
        { type: "tenantry:index:NamespacedScript", name: "acme", id: "script", inputs: plan(managed) },
        {
          type: "tenantry:index:DatabaseRecord",
          name: "instance-acme",
          id: "row",
          inputs: { table: "tenantry.instances", values: { ai_gateway_id: gateway } },
        },
      ]),
    );
  const rows = rowsOf(tenantRow("acme", { gatewayId: "pool-a" }));

  test("is reported when the row has another plan, AI gateway or token version", () => {
    expect(found(conclude("deployed_tenant", { stacks: [stack("basic", "pool-a")], rows }))).toEqual([]);
    const [conclusion] = conclude("deployed_tenant", { stacks: [stack("pro", "pool-b")], rows });
    expect(conclusion).toMatchObject({
      findings: [
        { what: "plan", why: "the stack prod-acme has deployed the plan pro, and the database has basic" },
        {
          what: "AI gateway",
          remedy: "run npx pulumi -C tenants refresh -s prod-acme, then npm run fleet -- up prod-acme",
        },
      ],
    });
    const dashboards = rowsOf(tenantRow("acme", { gatewayId: "pool-b", managedBy: "dashboard", tokenVersion: 2 }));
    expect(conclude("deployed_tenant", { stacks: [stack("pro", "pool-b")], rows: dashboards })).toMatchObject([
      {
        findings: [
          { remedy: "set the correct value in the dashboard: PUT /client/instance/instance-acme/worker-plan/pro" },
          { why: "the stack prod-acme has deployed the token version 1, and the database has 2" },
        ],
      },
    ]);
  });

  test("is not reported while a job changes it or when the database cannot be read", () => {
    const busy = rowsWith({ tenants: [tenantRow("acme")], jobs: [{ ...job, slug: "acme" }] });
    const stacks = [stack("pro", "pool-b")];
    expect(found(conclude("deployed_tenant", { stacks, rows: busy }))).toEqual([]);
    expect(conclude("deployed_tenant", { stacks, rows: DOWN })).toMatchObject([{ fault: expect.any(String) }]);
  });
});

test("reports an unfinished restore with the invoices that it may have lost", () => {
  const [dumpedAt, restoredAt] = [new Date("2026-11-01T13:30:00Z"), new Date("2026-11-01T14:30:00Z")];
  const restores = { found: [{ dumpedAt, restoredAt, invoices: [{ month: "2026-10", slug: "acme" }] }] };
  expect(found(conclude("restore", { restores }))).toEqual([
    "restore: it was restored at 2026-11-01T14:30:00.000Z to its state of 2026-11-01T13:30:00.000Z; later changes are lost",
    "2026-10 of acme: it may have been issued between 2026-11-01T13:30:00.000Z and 2026-11-01T14:30:00.000Z",
  ]);
  expect(conclude("restore", { restores: DOWN })).toMatchObject([{ fault: `restores: ${DOWN.fault}` }]);
});
