/** Pages about a whole platform. The first deploys the one that all others use. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ACCOUNT_ID, DOMAIN } from "#local/account.ts";
import { call } from "../../testing/http.ts";
import type { Given, Page, Replaced } from "./pages.ts";
import { ROOT_USER, type Site, STACK } from "./site.ts";

const example = (is: string): Given => ({ is: () => is, because: "the walk has another name here" });
const dumps: Given = { is: ({ backups }) => backups, because: "the reader's directory" };
/** A stack of several tenants, declared by `declare-tenants-in-files.md`. */
const TEAM = "prod-team";

/** Examples of all pages. */
export const EXAMPLES: Readonly<Record<string, Replaced>> = {
  "agents.example.com": { is: ({ edge }) => `${DOMAIN}:${edge.port}`, because: "the edge serves another domain" },
  "https://": { is: () => "http://", because: "the edge has no certificate" },
  "8787": { is: ({ edge }) => String(edge.port), because: "each test has a port of its own" },
};

/** Slugs of the deployed tenants of production. */
const tenants = ({ edge }: Site): string[] =>
  edge.store.list("script").flatMap(({ id }) => /^tenants\/tenant-(?!verify-)(.+)$/.exec(id)?.[1] ?? []);

async function hasTenTenants(site: Site): Promise<void> {
  expect(tenants(site).toSorted()).toEqual(
    ["acme", "globex", "hooli", "initech", "shop", "soylent", "stark", "umbrella", "vandelay", "wonka"].toSorted(),
  );
  const { status } = await call(site.edge, `stark.${DOMAIN}`, "/api/health?passive=1");
  expect(status).toBe(200);
}

export const platformPages: readonly Page[] = [
  {
    name: "how-to/deploy.md",
    given: {
      BACKEND_URL: {
        is: ({ edge }) => `file://${join(edge.directory, "pulumi")}`,
        says: "`BACKEND_URL` is the backend's address, such as `file:///srv/states`.",
      },
      DATABASE_URL: {
        is: ({ edge }) => edge.databaseUrl,
        says: "`DATABASE_URL` is a direct connection with the right to create roles and schemas, not a pooler.",
      },
      SERVICE_ROLE_KEY: {
        is: ({ edge }) => edge.serviceRoleKeys.production,
        says: "`SERVICE_ROLE_KEY` is a JWT whose `role` is `tenantry_dispatch`, signed with the REST layer's JWT secret.",
      },
      OPENAI_KEY: { is: () => "sk-first", says: "`OPENAI_KEY` is a key of your OpenAI account." },
      API_TOKEN: {
        is: ({ edge }) => edge.apiToken,
        says: "`API_TOKEN` has these [rights](../reference/permissions.md); create it under **Manage account → Account API tokens**.",
      },
    },
    async check(site) {
      expect((await site.outputs()).tenants).toEqual({ acme: "acme.tenantry.localhost" });
      await site.startService();
      await site.logIn();
    },
  },
  {
    name: "how-to/call-the-api.md",
    given: {
      CLIENT_ID: {
        is: async (site) => (await site.clientId("shop")) || site.clientId("acme"),
        says: "`CLIENT_ID` is the `id` that the first call prints:",
      },
    },
    async check(site, ran) {
      expect(ran.find(({ text }) => text.includes("/session"))?.output).toContain(ROOT_USER);
      expect(ran.find(({ text }) => text.includes("jq .instance.id"))?.output.trim()).toBe(
        JSON.stringify(await site.instanceId("acme")),
      );
      expect(tenants(site)).toContain("shop");
    },
  },
  {
    name: "how-to/run-the-automation-service.md",
    given: {
      ACCOUNT_ID: { is: () => ACCOUNT_ID, says: "`ACCOUNT_ID` is `accountId` of `Pulumi.prod.yaml`." },
      API_TOKEN: {
        is: ({ edge }) => edge.apiToken,
        says: "`API_TOKEN` is a token with the service's [rights](../reference/permissions.md).",
      },
      "PLATFORM_DOMAIN=agents.example.com": {
        is: () => `PLATFORM_DOMAIN=${DOMAIN}`,
        because: "a domain has no port, and the edge's other addresses have one",
      },
      "smtps://user:password@smtp.example.com:465": {
        is: ({ edge }) => edge.mail.smtp,
        says: "`SMTP_URL` is your mail server's address.",
      },
      "9464": { is: (site) => site.healthPort(), because: "each test has a port of its own" },
    },
    background: { "node --env-file=service.env automation/main.ts": /"event":"ready"/ },
    async check(_, ran) {
      expect(ran.at(-1)?.output).toContain("tenantry_queue_oldest_ready_seconds");
    },
  },
  {
    name: "how-to/declare-tenants-in-files.md",
    steps: { "git rm tenants/Pulumi.prod-hooli.yaml": hasTenTenants },
    async check(site, ran) {
      expect(ran.find(({ text }) => text.includes("stack output"))?.output).toContain("stark.tenantry.localhost");
      expect(ran.find(({ text }) => text.includes("preview --since"))?.output).toContain("hooli");
      expect(tenants(site)).not.toContain("hooli");
    },
  },
  {
    name: "how-to/add-an-environment.md",
    given: {
      DATABASE_URL: {
        is: ({ edge }) => edge.databaseUrl,
        says: "`DATABASE_URL` and `SERVICE_ROLE_KEY` are those of production.",
      },
      SERVICE_ROLE_KEY: {
        is: ({ edge }) => edge.serviceRoleKeys.production,
        says: "`DATABASE_URL` and `SERVICE_ROLE_KEY` are those of production.",
      },
    },
    async check({ edge }) {
      expect(edge.store.list("script").map(({ id }) => id)).toContain("tenantry-dispatch-dev");
    },
  },
  {
    name: "how-to/add-capacity.md",
    async check(site) {
      expect(site.edge.store.list("ai_gateway").map(({ id }) => id)).toContain("tenantry-pool-2");
    },
  },
  {
    name: "how-to/find-and-repair-faults.md",
    given: { STACK: { is: () => TEAM, says: "`STACK` is the stack of that run, such as `prod-acme`." } },
    async check(site) {
      expect(tenants(site)).toContain("stark");
    },
  },
  {
    name: "how-to/restore-the-database.md",
    prepare: (site) => site.usePostgresClient(),
    given: {
      "/var/backups/tenantry": dumps,
      DUMP: {
        is: ({ backups }) => readdirSync(backups).find((name) => name.endsWith(".dump")) ?? "",
        says: "`DUMP` is the newest file there.",
      },
      STACK: { is: () => TEAM, says: "`STACK` is its stack." },
      DATABASE_URL: { is: ({ edge }) => edge.databaseUrl, says: "`DATABASE_URL` the owner's connection." },
      KEPT_DATABASE: {
        is: async (site) => (await site.keptDatabases())[0] ?? "",
        says: "`KEPT_DATABASE` is the name that the restore printed",
      },
    },
    steps: {
      "npm run fleet -- restore /": (site) => site.stopService(),
      "npx pulumi -C tenants refresh": (site) => site.startService(),
    },
    async check(site, ran) {
      expect(ran.at(-2)?.output).toContain("prod");
      expect(await site.clientId("acme")).not.toBe("");
      expect(await site.keptDatabases()).toEqual([]);
    },
  },
  {
    name: "how-to/upgrade.md",
    given: { staging: example(STACK) },
    async check(_, ran) {
      expect(ran.at(-1)?.output).toContain("prod");
    },
  },
  {
    name: "how-to/read-costs.md",
    given: {
      CLIENT_ID: { is: (site) => site.clientId("acme"), says: "[Call the API](call-the-api.md) finds `CLIENT_ID`." },
      OPENAI_KEY: {
        is: () => "sk-first",
        says: "`OPENAI_KEY` and `ANTHROPIC_KEY` are keys of your accounts there.",
      },
      ANTHROPIC_KEY: {
        is: () => "sk-ant-first",
        says: "`OPENAI_KEY` and `ANTHROPIC_KEY` are keys of your accounts there.",
      },
    },
    async check(site) {
      const limits = site.edge.store.list("ai_gateway").map((gateway) => JSON.stringify(gateway));
      expect(limits.some((limit) => limit.includes("500"))).toBe(true);
    },
  },
];

/** Pages that follow those about tenants: they rotate secrets of the tenant `shop`, and delete what the others use. */
export const lastPages: readonly Page[] = [
  {
    name: "how-to/rotate-secrets.md",
    given: {
      NEW_KEY_FILE: { says: "`NEW_KEY_FILE` is a file that holds only the new key." },
      NEW_PASSPHRASE_FILE: { says: "`NEW_PASSPHRASE_FILE` is a file that holds only the new passphrase." },
      INSTANCE_ID: {
        is: (site) => site.instanceId("shop"),
        says: "[Call the API](call-the-api.md) finds `INSTANCE_ID`.",
      },
      "--stack prod": { is: () => "--stack prod --pause 0", because: "the pause is for requests in progress" },
    },
    async check(site) {
      expect(site.edge.store.list("api_token").map(({ name }) => name)).toContain("Tenantry analytics-b");
    },
  },
  {
    name: "how-to/delete-a-customer.md",
    given: {
      CLIENT_ID: {
        is: (site) => site.clientId("shop"),
        says: "[Call the API](call-the-api.md) finds `CLIENT_ID` and `INSTANCE_ID`.",
      },
      INSTANCE_ID: { says: "[Call the API](call-the-api.md) finds `CLIENT_ID` and `INSTANCE_ID`." },
    },
    async check(site) {
      await expect.poll(() => site.clientId("shop"), { timeout: 120_000 }).toBe("");
      expect(tenants(site)).not.toContain("shop");
    },
  },
  {
    name: "how-to/store-states.md",
    given: {
      KEY_ID: { says: "It shows `KEY_ID` and `SECRET` once." },
      SECRET: { says: "It shows `KEY_ID` and `SECRET` once." },
      ACCOUNT_ID: { says: "`ACCOUNT_ID` is the account of the bucket." },
      STACK: { is: () => STACK, says: "`STACK` is the stack's name, and `COPY` a file of that directory." },
      COPY: { is: newestCopy, says: "`STACK` is the stack's name, and `COPY` a file of that directory." },
      NEW_BACKEND_URL: {
        is: (site) => `file://${site.emptyDirectory()}`,
        says: "`NEW_BACKEND_URL` is the address that `pulumi login` gets.",
      },
      "awskms://alias/tenantry?region=eu-central-1": {
        is: () => "hashivault://tenantry-tests",
        because: "tests have a stand-in for another key service",
      },
      "prod-acme": example(TEAM),
    },
  },
  {
    name: "how-to/destroy-a-platform.md",
    given: { "prod-hooli": example(TEAM), prod: example("dev") },
    async check(site) {
      expect(tenants(site)).not.toContain("stark");
      expect(site.edge.store.list("script").map(({ id }) => id)).not.toContain("tenantry-dispatch-dev");
    },
  },
];

/** The newest copy of the platform's state. */
function newestCopy({ edge }: Site): string {
  const copies = join(edge.directory, "pulumi/.pulumi/backups/tenantry", STACK);
  const names = readdirSync(copies).filter((name) => name.endsWith(".json"));
  return join(copies, names.toSorted().at(-1) ?? "");
}
