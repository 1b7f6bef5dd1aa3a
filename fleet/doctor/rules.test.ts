import { describe, expect, test } from "vitest";
import { RELEASE } from "#domain/release.ts";
import type { Conclusion, Evidence } from "./evidence.ts";
import type { FindingKind } from "./report.ts";
import { RULES } from "./rules.ts";
import { stackFacts } from "./stacks/stack-facts.ts";
import { evidence, PLATFORM, stateOf, tenantRow, tenantStack, thing } from "./testing/evidence.ts";

const conclude = (kind: FindingKind, given: Partial<Evidence> & Parameters<typeof evidence>[0] = {}): Conclusion[] =>
  RULES[kind](evidence(given));
const found = (conclusions: readonly Conclusion[]) =>
  conclusions.flatMap((one) => ("fault" in one ? [one.fault] : one.findings.map(({ name, why }) => `${name}: ${why}`)));
const job = { id: "7", kind: "provision", slug: "acme", deadline: new Date("2026-11-20T11:00:00Z"), late: false };
const rowsOf = (...tenants: ReturnType<typeof tenantRow>[]) => ({ found: { tenants, jobs: [] } });
const DOWN = { fault: "the database could not be asked: down" };

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
    expect(found(conclude("schema", { schema: DOWN }))).toEqual(["the schema: the database could not be asked: down"]);
  });
});

describe("interrupted runs", () => {
  const begun = [
    { type: "cloudflare:index/accountToken:AccountToken", name: "acme", inputs: { name: "AI gateway of acme" } },
  ];
  const stack = tenantStack("acme", [], begun);

  test("are told with what was begun, and with a dead lock", () => {
    expect(found(conclude("interrupted_run", { stacks: [stack] }))).toEqual([
      "prod-acme: a run ended in the middle of creating cloudflare:index/accountToken:AccountToken acme",
    ]);
    const locked = { living: new Set<string>(), dead: new Set(["prod-beta"]) };
    expect(found(conclude("interrupted_run", { stacks: [tenantStack("beta")], locked }))).toEqual([
      "prod-beta: the run that has locked it is dead",
    ]);
  });

  test("are none while a run has the stack, or the service has a job for it", () => {
    const locked = { living: new Set(["prod-acme"]), dead: new Set<string>() };
    expect(found(conclude("interrupted_run", { stacks: [stack], locked }))).toEqual([]);
    expect(
      found(conclude("interrupted_run", { stacks: [stack], rows: { found: { tenants: [], jobs: [job] } } })),
    ).toEqual([]);
  });

  test("may be about to have what is called so", () => {
    const token = { ...thing("api_token", "acme"), name: "AI gateway of acme" };
    expect(found(conclude("token", { stacks: [stack], things: [token] }))).toEqual([]);
    expect(found(conclude("token", { stacks: [tenantStack("acme")], things: [token] }))).toHaveLength(1);
  });
});

describe("stacks and rows", () => {
  test("a stack without its tenant's row or instance is told, one that is being made is not", () => {
    const stacks = [tenantStack("acme"), tenantStack("beta"), tenantStack("gamma")];
    const rows = rowsOf(tenantRow("beta", null), tenantRow("gamma"));
    expect(found(conclude("stack_without_row", { stacks, rows }))).toEqual([
      "prod-acme: the database has no such client",
      "prod-beta: the database has its client and no instance",
    ]);
    const busy = { found: { tenants: [tenantRow("beta"), tenantRow("gamma")], jobs: [job] } };
    expect(found(conclude("stack_without_row", { stacks, rows: busy }))).toEqual([]);
  });

  test("a stack that holds nothing is told", () => {
    const name = "production-gone";
    const stacks = [
      stackFacts(name, undefined, stateOf(name, [])),
      stackFacts(PLATFORM.stack, undefined, stateOf("prod", [])),
    ];
    expect(found(conclude("stack_without_row", { stacks }))).toEqual(["production-gone: it holds nothing"]);
  });

  test("a row without a stack is told where it was deployed", () => {
    const dashboards = { managedBy: "dashboard" } as const;
    const rows = rowsOf(
      tenantRow("acme", { owner: "urn:pulumi:prod-acme::tenantry::x::acme" }),
      tenantRow("beta"),
      { ...tenantRow("draft", null), ...dashboards },
      { ...tenantRow("failed", { ...dashboards, status: "error" }), ...dashboards },
      tenantRow("fresh", { status: "provisioning", underWay: true }),
    );
    expect(found(conclude("row_without_stack", { stacks: [tenantStack("beta")], rows }))).toEqual([
      "acme: no stack of the platform has acme; the row's is tenantry/prod-acme",
    ]);
  });

  test("each is told with the commands that repair it, by who manages the tenant", () => {
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
    const remedies = (kind: FindingKind, things: ReturnType<typeof thing>[] = []) =>
      conclude(kind, { stacks, rows, things }).flatMap((one) =>
        "fault" in one ? [one.fault] : one.findings.map(({ remedy }) => remedy),
      );
    expect(remedies("stack_without_row")).toEqual([
      "npx pulumi -C tenants refresh -s prod-acme, then npm run fleet -- up prod-acme (with aiGateway: pool-a, to keep that AI gateway); to have it gone, npx pulumi -C tenants destroy --remove -s prod-acme",
      "create the client beta and its instance again at the dashboard, which take over the stack; to have it gone, npx pulumi -C tenants destroy --remove -s prod-beta",
      "npx pulumi refresh -s prod, then npx pulumi up -s prod (with aiGateway: pool-a, to keep that AI gateway); to have it gone, take it out of the settings and npx pulumi up -s prod",
    ]);
    expect(remedies("row_without_stack", [thing("bucket", "former")])).toEqual([
      expect.stringMatching(
        /^declare it again and bring it up: TENANTRY_ADOPT_BUCKETS=former npm run fleet -- up prod-former, .* to have it gone, then npx pulumi -C tenants destroy --remove -s prod-former$/,
      ),
      expect.stringMatching(/^declare it again and bring it up: npx pulumi up -s prod, .* take it out of the settings/),
    ]);
  });

  test("what was under way in a dump is told after its restore", () => {
    const rows = rowsOf(tenantRow("fresh", { status: "provisioning", underWay: true }));
    const [before, after] = [new Date("2026-11-20T11:40:00Z"), new Date("2026-11-20T11:55:00Z")];
    const restored = (restoredAt: Date) => ({ found: [{ dumpedAt: before, restoredAt, invoices: [] }] });
    expect(found(conclude("row_without_stack", { rows, restores: restored(before) }))).toEqual([]);
    expect(found(conclude("row_without_stack", { rows, restores: restored(after) }))).toHaveLength(1);
  });

  test("nothing is concluded without the database", () => {
    for (const kind of ["stack_without_row", "row_without_stack", "late_job"] as const) {
      const conclusions = conclude(kind, { stacks: [tenantStack("acme")], rows: DOWN });
      expect(conclusions, kind).toMatchObject([{ about: kind, fault: expect.stringContaining("down") }]);
    }
  });
});

describe("things of the account", () => {
  test("are known to whichever stack has their id, of any project", () => {
    const group = thing("access_group", "acme", "group-id");
    const state = stateOf("x", [{ type: "tenantry:index:MemberGroup", name: "acme", id: "account/group-id" }]);
    const stacks = [stackFacts("organization/other/x", undefined, state)];
    expect(found(conclude("unknown_resource", { things: [group], stacks }))).toEqual([]);
    expect(found(conclude("unknown_resource", { things: [group] }))).toEqual([
      "access_group of acme: no stack knows it",
    ]);
  });

  test("a kind that could not be listed is told of as such, and the others by themselves", () => {
    const whole = evidence({ things: [thing("script", "acme")] });
    const account = { ...whole.account, access_group: { fault: "may not list" } };
    expect(found(RULES.unknown_resource({ ...whole, account }))).toEqual([
      "script of acme: no stack knows it",
      "may not list",
    ]);
  });

  test.each([
    [{ status: "active", expiresOn: null }, []],
    [{ status: "active", expiresOn: "2027-11-20T12:00:00Z" }, []],
    [{ status: "disabled", expiresOn: null }, ["t: it is disabled; the stack prod-acme has it"]],
    [{ status: "expired", expiresOn: null }, ["t: it has expired; the stack prod-acme has it"]],
    [
      { status: "active", expiresOn: "2026-11-20T11:59:00Z" },
      ["t: it has expired at 2026-11-20T11:59:00Z; the stack prod-acme has it"],
    ],
    [
      { status: "active", expiresOn: "2026-11-30T00:00:00Z" },
      ["t: it expires at 2026-11-30T00:00:00Z; the stack prod-acme has it"],
    ],
  ])("a stack's token that is %j", (state, expected) => {
    const tokens = {
      found: [
        { id: "token-id", name: "t", ...state },
        { id: "another's", name: "u", status: "expired", expiresOn: null },
      ],
    };
    expect(found(conclude("token", { tokens, stacks: [tenantStack("acme", ["token-id"])] }))).toEqual(expected);
  });

  test("buckets with something in them stay: production's by policy, others with what to do", () => {
    const bucket = thing("bucket", "former");
    const filled = new Map([[bucket.name, { found: { objects: 3, bytes: 9, more: false } }]]);
    const empty = new Map([[bucket.name, { found: { objects: 0, bytes: 0, more: false } }]]);
    const unread = new Map([[bucket.name, { fault: "down" }]]);
    const things = [bucket];
    expect(conclude("bucket_without_owner", { things, contents: filled })).toMatchObject([
      { findings: [], kept: [bucket] },
    ]);
    expect(conclude("bucket_without_owner", { things, contents: empty })).toMatchObject([
      { findings: [{ thing: bucket }], kept: [] },
    ]);
    const platform = { ...PLATFORM, environment: "staging" } as const;
    for (const [contents, more] of [
      [filled, { platform }],
      [unread, {}],
      [unread, { platform }],
    ] as const) {
      const [conclusion] = conclude("bucket_without_owner", { things, contents, ...more });
      expect(conclusion).toMatchObject({ findings: [{ name: bucket.name }], kept: [] });
      expect(conclusion).not.toMatchObject({ findings: [{ thing: bucket }] });
    }
  });
});

test("a job that should have ended is told", () => {
  const rows = { found: { tenants: [], jobs: [job, { ...job, id: "8", late: true }] } };
  expect(found(conclude("late_job", { rows }))).toEqual([
    "provision of acme: it should have ended at 2026-11-20T11:00:00.000Z",
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

  test("that one side alone has are told, with what to do before the service makes them equal", () => {
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
    const rows = { found: { tenants: [tenantRow("acme")], jobs: [job] } };
    expect(found(conclude("member", { members: { found: [{ ...group, tenant: job.slug }] }, rows }))).toEqual([]);
  });

  test("are reported as not checked where they cannot be read", () => {
    expect(conclude("member", { members: { fault: "may not list" } })).toEqual([
      { about: "member", fault: "may not list" },
    ]);
  });
});

describe("what is deployed of a tenant", () => {
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

  test("is told where the row has another plan or AI gateway", () => {
    expect(found(conclude("deployed_tenant", { stacks: [stack("basic", "pool-a")], rows }))).toEqual([]);
    const [conclusion] = conclude("deployed_tenant", { stacks: [stack("pro", "pool-b")], rows });
    expect(conclusion).toMatchObject({
      findings: [
        { what: "plan", why: "the stack prod-acme has deployed the plan pro, and the database has basic" },
        {
          what: "AI gateway",
          remedy: "npx pulumi -C tenants refresh -s prod-acme, then npm run fleet -- up prod-acme",
        },
      ],
    });
    const dashboards = rowsOf(tenantRow("acme", { gatewayId: "pool-b", managedBy: "dashboard", tokenVersion: 2 }));
    expect(conclude("deployed_tenant", { stacks: [stack("pro", "pool-b")], rows: dashboards })).toMatchObject([
      {
        findings: [
          { remedy: "set what is right at the dashboard: PUT /client/instance/instance-acme/worker-plan/pro" },
          { why: "the stack prod-acme has deployed the token version 1, and the database has 2" },
        ],
      },
    ]);
  });

  test("is not told while a job changes it, nor without the database", () => {
    const busy = { found: { tenants: [tenantRow("acme")], jobs: [{ ...job, slug: "acme" }] } };
    const stacks = [stack("pro", "pool-b")];
    expect(found(conclude("deployed_tenant", { stacks, rows: busy }))).toEqual([]);
    expect(conclude("deployed_tenant", { stacks, rows: DOWN })).toMatchObject([{ fault: expect.any(String) }]);
  });
});

test("a restore that is not finished is told, with the invoices that it may have lost", () => {
  const [dumpedAt, restoredAt] = [new Date("2026-11-01T13:30:00Z"), new Date("2026-11-01T14:30:00Z")];
  const restores = { found: [{ dumpedAt, restoredAt, invoices: [{ month: "2026-10", slug: "acme" }] }] };
  expect(found(conclude("restore", { restores }))).toEqual([
    "restore: it was restored at 2026-11-01T14:30:00.000Z to its state of 2026-11-01T13:30:00.000Z; what was written in between is lost",
    "2026-10 of acme: it may have been issued between 2026-11-01T13:30:00.000Z and 2026-11-01T14:30:00.000Z",
  ]);
  expect(conclude("restore", { restores: DOWN })).toMatchObject([{ fault: `restores: ${DOWN.fault}` }]);
});
