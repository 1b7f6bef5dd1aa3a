/** Pages about single tenants and their clients. */
import { expect } from "vitest";
import * as z from "zod";
import { GATEWAY, imageVariables } from "#workers/tenant/testing/upgraded-tenant.ts";
import { setImages } from "../../testing/platform.ts";
import { sql } from "../../testing/sql.ts";
import type { Page } from "./pages.ts";
import type { Ran } from "./reader.ts";
import type { Site } from "./site.ts";

const identified = z.looseObject({ id: z.string() });
const listed = z.object({ data: z.array(identified) });

const idOf = (output: string): string => identified.parse(JSON.parse(output)).id;

/** Returns the id in the output of the last command that requested `path`. */
const idFrom = (site: Site, path: string) => () => idOf(site.lastOutput(path));

const reference = (digit: string) => `registry.cloudflare.com/account/gateway@sha256:${digit.repeat(64)}`;

const ids = (site: Site, slug: string) => ({
  CLIENT_ID: () => site.clientId(slug),
  INSTANCE_ID: () => site.instanceId(slug),
});

/** Returns the body of a response to a command that contains `text`. */
const responseTo = (ran: readonly Ran[], text: string): unknown =>
  JSON.parse(ran.findLast((one) => one.text.includes(text))?.output ?? "");

export const tenantPages: readonly Page[] = [
  {
    name: "how-to/declare-tenants-in-files.md",
    async check(site, ran) {
      expect(ran.find(({ text }) => text.includes("stack output"))?.output).toContain("hooli.tenantry.localhost");
      expect(ran.find(({ text }) => text.includes("preview --since"))?.output).toContain("hooli");
      expect(site.edge.store.get("script", "tenants/tenant-hooli")).toBeUndefined();
    },
  },
  {
    name: "how-to/debug-a-tenant.md",
    values: (site) => ids(site, "acme"),
    async check(_, ran) {
      expect(responseTo(ran, "passive=1")).toHaveProperty("liveness");
      expect(responseTo(ran, "/health")).toHaveProperty("incidents");
    },
  },
  {
    name: "how-to/freeze-a-tenant.md",
    values: (site) => ids(site, "acme"),
    async check(site) {
      expect(await site.api("GET", `/client/${await site.clientId("acme")}/credit`)).toMatchObject({ prepaid: true });
      await site.api("PUT", `/client/${await site.clientId("acme")}/credit`, { prepaid: false });
    },
  },
  {
    name: "how-to/change-an-image.md",
    prepare: async (site) => {
      await setImages(site.edge, {
        [reference("1")]: imageVariables({ version: "2026.9.6" }),
        [reference("2")]: imageVariables({ version: "2026.9.7" }),
      });
      await site.provision("shop");
    },
    values: (site) => ({ ...ids(site, "shop"), IMAGE: reference("1"), GATEWAY, IMAGE_ID: idFrom(site, "/images") }),
    async check(_, ran) {
      expect(responseTo(ran, "jq .runs")).toMatchObject({
        image: { reference: reference("1") },
        reported: { gateway_version: "2026.9.6" },
      });
    },
  },
  {
    name: "how-to/start-a-rollout.md",
    prepare: async (site) => {
      await site.api("PUT", `/client/instance/${await site.instanceId("shop")}/pin`, { pinned: false });
    },
    values: (site) => ({
      ...ids(site, "shop"),
      IMAGE: reference("2"),
      GATEWAY,
      IMAGE_ID: idFrom(site, "/images"),
      ROLLOUT_ID: idFrom(site, '/rollouts"'),
      '"soak_minutes": 30, "notice_hours": 24': '"soak_minutes": 0, "notice_hours": 0',
    }),
    steps: {
      'curl -X POST "$DASHBOARD/rollouts/ROLLOUT_ID/roll-back"': (site) =>
        site.ends(`/rollouts/${idOf(site.lastOutput('/rollouts"'))}`),
    },
    async check(site) {
      const id = idOf(site.lastOutput('/rollouts"'));
      await expect
        .poll(() => site.api("GET", `/rollouts/${id}`), { timeout: 120_000 })
        .toMatchObject({ status: "rolled_back" });
    },
  },
  {
    name: "how-to/restore-a-tenant.md",
    values: (site) => ({
      ...ids(site, "shop"),
      BACKUP_ID: () => listed.parse(JSON.parse(site.lastOutput("/backups"))).data[0]?.id ?? "",
      JOB_ID: idFrom(site, "/restore"),
    }),
    check: async (_, ran) => {
      expect(responseTo(ran, "/jobs/")).toMatchObject({ kind: "restore_backup", status: "succeeded" });
    },
  },
  {
    name: "how-to/move-a-tenant-between-git-and-dashboard.md",
    values: () => ({ acme: "shop", Acme: "Shop" }),
    async check(site) {
      const rows = await sql(site.edge, "select managed_by from tenantry.clients where slug = 'shop'");
      expect(rows).toEqual([{ managed_by: "dashboard" }]);
    },
  },
];
