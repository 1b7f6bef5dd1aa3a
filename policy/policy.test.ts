import * as cloudflare from "@pulumi/cloudflare";
import type { CustomResourceOptions, Output } from "@pulumi/pulumi";
import structs from "google-protobuf/google/protobuf/struct_pb.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BackupBucket } from "#components/backup-bucket.ts";
import { ContainerApplication } from "#components/resources/container-application.ts";
import { DatabaseRecord } from "#components/resources/database-record.ts";
import { fakeContext } from "#components/testing/fakes.ts";
import { healthApplications } from "#domain/access/access-addresses.ts";
import { type Environment, environments } from "#domain/environment.ts";
import { plans } from "#domain/plans/plan.ts";
import { accountId, declareClient, declarePlatform, declareScript, plain } from "./testing/declarations.ts";
import { type Pack, startPack } from "./testing/pack.ts";
import { reported } from "./testing/reported.ts";

let pack: Pack;
beforeAll(async () => {
  pack = await startPack();
});
afterAll(() => pack.close());

describe("the platform's own stacks", () => {
  for (const environment of environments) {
    test.each(healthApplications)(`pass in ${environment}, health opened by the %s`, async (healthApplication) => {
      const violations = await pack.judge(() => {
        const platform = declarePlatform(environment, { healthApplication });
        const shape = { healthApplication, bucketCredentials: true, serviceTokens: true };
        const context = fakeContext({ environment, outputs: platform.outputs, shape });
        for (const plan of plans) {
          declareClient({ context, slug: plan, plan, gateway: { kind: "dedicated", gatewayId: `tenantry-${plan}` } });
        }
      });
      expect(violations).toEqual([]);
    });
  }
});

describe("backup-buckets", () => {
  const fault = {
    rule: "backup-buckets",
    level: "mandatory",
    resource: "lone",
    message: "The bucket backups would be deleted with its tenant. Set retainOnDelete, or protect it.",
  };
  const bound = (environment: Environment, bucketName: Output<string>) =>
    declareScript(
      { tags: ["customer_id:7", "plan:basic", `env:${environment}`] },
      { ENVIRONMENT: plain(environment), BACKUP_BUCKET: { type: "r2_bucket", bucketName } },
    );
  const component = (keepOnDestroy: boolean) =>
    new BackupBucket("acme", { accountId, bucketName: "backups", retentionDays: 30, keepOnDestroy }).bucketName;
  const bucket = (options: CustomResourceOptions) =>
    new cloudflare.R2Bucket("acme", { accountId, name: "backups" }, options).name;
  const judge = (environment: Environment, declare: () => Output<string>) =>
    pack.judge(() => bound(environment, declare()));

  test("refuses in production a bucket that is deleted with its tenant", async () => {
    expect(await judge("production", () => component(false))).toEqual([fault]);
    expect(await judge("production", () => bucket({}))).toEqual([fault]);
  });

  test("accepts a bucket that is kept or protected, and any outside production", async () => {
    expect(await judge("production", () => component(true))).toEqual([]);
    expect(await judge("production", () => bucket({ protect: true }))).toEqual([]);
    expect(await judge("development", () => component(false))).toEqual([]);
  });
});

describe("plain-secrets", () => {
  test.each([
    ["SLACK_TOKEN", "x", "has the name of a secret"],
    ["PROVIDER_KEYS", "{}", "has the name of a secret"],
    ["OTHER", "hush-hush-hush", "has the text of the secret GATEWAY_TOKEN"],
    ["DATABASE", "postgres://owner:hush@db.example.com/x", "looks like a URL with a password"],
    ["SIGNER", "-----BEGIN PRIVATE KEY-----\nMII", "looks like a private key"],
  ])("refuses %s as plain text of a tenant's script", async (name, text, why) => {
    expect(await pack.judge(() => declareScript({}, { [name]: plain(text) }))).toEqual([
      {
        rule: "plain-secrets",
        level: "mandatory",
        resource: "lone",
        message: `The binding ${name} of lone is plain text and ${why}. Bind it as a secret.`,
      },
    ]);
  });

  test("refuses it in the account's Workers, and accepts secrets and their URLs", async () => {
    const script = (bindings: cloudflare.types.input.WorkersScriptBinding[]) =>
      pack.judge(() => new cloudflare.WorkersScript("dispatch", { accountId, scriptName: "dispatch", bindings }));
    const secret = { name: "INVALIDATE_TOKEN", type: "secret_text", text: "hush" };
    const found = await script([secret, { name: "COPY", type: "plain_text", text: "hush" }]);
    expect(found.map(({ message }) => message)).toEqual([
      "The binding COPY of dispatch is plain text and has the text of the secret INVALIDATE_TOKEN. Bind it as a secret.",
    ]);
    expect(
      await script([secret, { name: "TOKEN_URL", type: "plain_text", text: "https://example.com/token" }]),
    ).toEqual([]);
  });
});

describe("slugs", () => {
  test.each([
    ["dash", "is reserved for the platform; choose another"],
    ["acme-dev", "ends in -dev, which names another tenant's development host; choose another"],
  ])("refuses the slug %s in the row and in the script", async (slug, why) => {
    const found = await pack.judge(() => {
      new DatabaseRecord("client", { table: "tenantry.clients", key: { slug } });
      new DatabaseRecord("partner", { table: "tenantry.partners", key: { slug } });
      declareScript({}, { TENANT_SLUG: plain(slug) });
    });
    const fault = {
      rule: "slugs",
      level: "mandatory",
      message: `The slug "${slug}" ${why}. Correct the tenant's slug.`,
    };
    expect(found).toEqual([
      { ...fault, resource: "client" },
      { ...fault, resource: "lone" },
    ]);
  });
});

describe("script-tags", () => {
  test("requires each tag with the script's values", async () => {
    const missing = async (tags: string[]) =>
      (await pack.judge(() => declareScript({ tags }))).map(({ level, message }) => `${level}: ${message}`);
    const of = (tag: string) => `advisory: The script lone has no correct tag ${tag}. Add the tag.`;
    expect(await missing([])).toEqual([of("customer_id:{id}"), of("plan:{plan}"), of("env:{environment}")]);
    expect(await missing(["customer_id:7", "plan:pro", "env:staging"])).toEqual([
      of("plan:{plan}"),
      of("env:{environment}"),
    ]);
    expect(await missing(["customer_id:7", "plan:basic", "env:production", "team:x"])).toEqual([]);
  });
});

describe("plan-limits", () => {
  const tenant = (instanceType: "lite" | "standard-1" | "standard-4", plan = "basic") => {
    const script = declareScript(
      { tags: ["customer_id:7", `plan:${plan}`, "env:production"] },
      {
        BILLING_PLAN: plain(plan),
        ...(plan === "enterprise" && { BACKUP_STORAGE_BYTES: plain("1"), SLEEP_AFTER_SECONDS: plain("1") }),
      },
    );
    new ContainerApplication("lone", {
      accountId,
      name: "tenant-lone",
      dispatchNamespace: "tenants",
      scriptName: script.scriptName,
      className: "Sandbox",
      image: "gateway:1",
      instanceType,
    });
  };

  test("reports containers of another size than the plan's, unless the settings allow it", async () => {
    expect(await pack.judge(() => tenant("standard-1"))).toEqual([]);
    expect(await pack.judge(() => tenant("lite"))).toEqual([
      {
        rule: "plan-limits",
        level: "advisory",
        resource: "lone",
        message:
          "The containers of lone have the type lite, but the plan basic has standard-1. Set the plan's type, or configure the rule's containers.",
      },
    ]);
    const config = { "plan-limits": { containers: { basic: "lite" } } };
    expect(await pack.judge(() => tenant("lite"), config)).toEqual([]);
  });

  test("accepts larger containers for enterprise, and reports limits that it lacks", async () => {
    expect((await pack.judge(() => tenant("standard-4", "enterprise"))).map(({ message }) => message)).toEqual([
      "The tenant's script lone has BACKUP_STORAGE_BYTES 1, but the plan enterprise has none. Set the plan's value, or change the tenant's plan.",
      "The tenant's script lone has SLEEP_AFTER_SECONDS 1, but the plan enterprise has none. Set the plan's value, or change the tenant's plan.",
      "The tenant's script lone has INBOX_MESSAGES 5000, but the plan enterprise has 100000. Set the plan's value, or change the tenant's plan.",
    ]);
  });

  test("reports more storage, and more CPU time than any plan grants", async () => {
    const more = () =>
      declareScript({ limits: { cpuMs: 300_000, subrequests: 10 } }, { BACKUP_STORAGE_BYTES: plain("9000000000") });
    expect((await pack.judge(more)).map(({ message }) => message)).toEqual([
      "The tenant's script lone has BACKUP_STORAGE_BYTES 9000000000, but the plan basic has 8000000000. Set the plan's value, or change the tenant's plan.",
      "The tenant's script lone may use 300000 cpuMs per invocation, but no plan grants more than 90000. Set the plan's value, or change the tenant's plan.",
    ]);
  });
});

describe("AI gateways", () => {
  const dlp = { enabled: true, action: "FLAG", profiles: ["profile"] };
  const rule = (plan: string, limit: number) => ({
    id: plan,
    enabled: true,
    limitType: "cost",
    limit,
    window: 60,
    metadata: { plan: { mode: "filter", values: [plan] } },
  });
  const spendLimits = { enabled: true, rules: [rule("free", 5), rule("basic", 50), rule("pro", 200)] };
  const gateway = (more: Partial<cloudflare.AiGatewayArgs>) => () =>
    new cloudflare.AiGateway("pool-a", {
      accountId,
      aiGatewayId: "pool-a",
      cacheInvalidateOnUpdate: true,
      cacheTtl: 0,
      collectLogs: true,
      rateLimitingInterval: 0,
      rateLimitingLimit: 0,
      dlp,
      spendLimits,
      ...more,
    });

  test.each([
    ["filters nothing. Enable dlp", { ...dlp, enabled: false }],
    ["has no filter profile. Add one to dlp.profiles", { ...dlp, profiles: [] }],
    ["ignores what it finds. Set dlp.action to FLAG or BLOCK", { ...dlp, action: "NONE" }],
  ])("pii-filter refuses one that %s", async (why, without) => {
    expect(await pack.judge(gateway({ dlp: without }))).toEqual([
      { rule: "pii-filter", level: "mandatory", resource: "pool-a", message: `The AI gateway pool-a ${why}.` },
    ]);
    expect(await pack.judge(gateway({}))).toEqual([]);
  });

  test("ai-spend-limits reports plans with higher limits, unless the settings allow them", async () => {
    const loose = gateway({ spendLimits: { enabled: true, rules: [rule("free", 5), rule("pro", 500)] } });
    expect((await pack.judge(loose)).map(({ level, message }) => `${level}: ${message}`)).toEqual([
      "advisory: The AI gateway pool-a allows a tenant of the plan basic to spend more than 50 US dollars. Add a spend limit for the plan, or configure the rule's limits.",
      "advisory: The AI gateway pool-a allows a tenant of the plan pro to spend more than 200 US dollars. Add a spend limit for the plan, or configure the rule's limits.",
    ]);
    expect(await pack.judge(loose, { "ai-spend-limits": { limits: { basic: null, pro: 500 } } })).toEqual([]);
  });
});

test("reports nothing for unknown values and disabled rules", async () => {
  // The engine's placeholder for unknown values in a preview.
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const reports = await reported(() => declareScript());
  for (const request of [...reports.resources, ...reports.stack.getResourcesList()]) {
    const names = ["scriptName", "bindings", "tags", "limits", "secrets"];
    const given = request.getProperties()?.toJavaScript() ?? {};
    const later = Object.fromEntries(names.filter((name) => name in given).map((name) => [name, unknown]));
    request.setProperties(structs.Struct.fromJavaScript({ ...given, ...later }));
  }
  expect(await pack.judgeReported(reports)).toEqual([]);
  const config = { "script-tags": { enforcementLevel: "disabled" } };
  expect(await pack.judge(() => declareScript({ tags: [] }), config)).toEqual([]);
});

test("exits when its engine exits", async () => {
  expect(await (await startPack()).close()).toBe(0);
});
