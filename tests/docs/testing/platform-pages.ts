/** Pages about a whole platform. The first deploys the one that all others use. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ACCOUNT_ID, DOMAIN } from "#local/account.ts";
import type { Page } from "./pages.ts";
import { ROOT_USER, STACK } from "./site.ts";

export const platformPages: readonly Page[] = [
  {
    name: "how-to/deploy.md",
    values: ({ edge }) => ({
      BACKEND_URL: `file://${join(edge.directory, "pulumi")}`,
      DATABASE_URL: edge.databaseUrl,
      SERVICE_ROLE_KEY: edge.serviceRoleKeys.production,
      OPENAI_KEY: "sk-first",
      API_TOKEN: edge.apiToken,
    }),
    async check(site) {
      expect((await site.outputs()).tenants).toEqual({ acme: "acme.tenantry.localhost" });
      await site.startService();
      await site.logIn();
    },
  },
  {
    name: "how-to/call-the-api.md",
    values: (site) => ({ CLIENT_ID: () => site.clientId("acme") }),
    async check(site, ran) {
      expect(ran.find(({ text }) => text.includes("/session"))?.output).toContain(ROOT_USER);
      expect(ran.find(({ text }) => text.includes("jq .instance.id"))?.output.trim()).toBe(
        JSON.stringify(await site.instanceId("acme")),
      );
    },
  },
  {
    name: "how-to/run-the-automation-service.md",
    values: (site) => ({
      ACCOUNT_ID,
      API_TOKEN: site.edge.apiToken,
      "PLATFORM_DOMAIN=agents.example.com": `PLATFORM_DOMAIN=${DOMAIN}`,
      "smtps://user:password@smtp.example.com:465": site.edge.mail.smtp,
      "9464": () => site.healthPort(),
    }),
    background: { "node --env-file=service.env automation/main.ts": /"event":"ready"/ },
    async check(_, ran) {
      expect(ran.at(-1)?.output).toContain("tenantry_queue_oldest_ready_seconds");
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
    prepare: (site) => site.declare("lab"),
    values: () => ({ STACK: "prod-lab" }),
    async check(site) {
      expect(site.edge.store.get("script", "tenants/tenant-lab")).toBeDefined();
    },
  },
  {
    name: "how-to/restore-the-database.md",
    prepare: (site) => site.usePostgresClient(),
    values: (site) => ({
      "/var/backups/tenantry": site.backups,
      DUMP: () => readdirSync(site.backups).find((name) => name.endsWith(".dump")) ?? "",
      STACK: "prod-lab",
      DATABASE_URL: site.edge.databaseUrl,
      KEPT_DATABASE: async () => (await site.keptDatabases())[0] ?? "",
    }),
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
    prepare: (site) => site.usePostgresClient(),
    values: (site) => ({ "/var/backups/tenantry": site.backups, "doctor staging prod": "doctor prod", staging: STACK }),
    async check(_, ran) {
      expect(ran.at(-1)?.output).toContain("prod");
    },
  },
  {
    name: "how-to/read-costs.md",
    values: (site) => ({
      CLIENT_ID: () => site.clientId("acme"),
      OPENAI_KEY: "sk-first",
      ANTHROPIC_KEY: "sk-ant-first",
    }),
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
    prepare: async (site) => {
      site.write("new-key", "sk-second\n");
      site.write("new-passphrase", "the second passphrase\n");
      await site.writeRestartScript();
    },
    values: (site) => ({
      NEW_KEY_FILE: "new-key",
      NEW_PASSPHRASE_FILE: "new-passphrase",
      INSTANCE_ID: () => site.instanceId("shop"),
      // The time between two steps, which is for requests in progress.
      "--stack prod": "--stack prod --pause 0",
    }),
    steps: { "npm run fleet -- rotate live-token --stack prod --finish": (site) => site.startService() },
    async check(site) {
      expect(site.edge.store.list("api_token").map(({ name }) => name)).toContain("Tenantry analytics-b");
    },
  },
  {
    name: "how-to/delete-a-customer.md",
    values: (site) => ({ CLIENT_ID: () => site.clientId("shop") }),
    async check(site) {
      await expect.poll(() => site.clientId("shop"), { timeout: 120_000 }).toBe("");
      expect(site.edge.store.get("script", "tenants/tenant-shop")).toBeUndefined();
    },
  },
  {
    name: "how-to/store-states.md",
    values: (site) => ({
      STACK,
      COPY: () => {
        const copies = join(site.edge.directory, "pulumi/.pulumi/backups/tenantry/prod");
        return join(
          copies,
          readdirSync(copies)
            .filter((name) => name.endsWith(".json"))
            .toSorted()
            .at(-1) ?? "",
        );
      },
      NEW_BACKEND_URL: () => `file://${site.emptyDirectory()}`,
      "awskms://alias/tenantry?region=eu-central-1": "hashivault://tenantry-tests",
      "prod-acme": "prod-lab",
    }),
  },
  {
    name: "how-to/destroy-a-platform.md",
    values: () => ({ prod: "dev", "dev-hooli": "prod-lab" }),
    async check(site) {
      const scripts = site.edge.store.list("script").map((script) => JSON.stringify(script));
      expect(scripts.filter((script) => script.includes("tenant-lab") || script.includes("dispatch-dev"))).toEqual([]);
    },
  },
];
