/** Pages about single tenants and their clients. */
import { expect } from "vitest";
import * as z from "zod";
import { DOMAIN } from "#local/account.ts";
import { GATEWAY, imageVariables } from "#workers/tenant/testing/upgraded-tenant.ts";
import { setImages } from "../../testing/platform.ts";
import { sql } from "../../testing/sql.ts";
import type { Page, Supplied } from "./pages.ts";
import type { Ran } from "./reader.ts";
import type { Site } from "./site.ts";

const identified = z.looseObject({ id: z.string() });
const listed = z.object({ data: z.array(identified) });

const users = z.object({ data: z.array(identified.extend({ email: z.string() })) });

const createdToken = z.object({ access_client_id: z.string(), client_secret: z.string() });

const idOf = (output: string): string => identified.parse(JSON.parse(output)).id;

/** An id in the output of the last command that requested `path`. */
const idFrom = (path: string, says: string): Supplied => ({ is: (site) => idOf(site.lastOutput(path)), says });

const reference = (digit: string) => `registry.cloudflare.com/account/gateway@sha256:${digit.repeat(64)}`;

const FINDS_INSTANCE = "[Call the API](call-the-api.md) sets `DASHBOARD` and `TOKEN`, and finds `INSTANCE_ID`.";
const instanceOf = (slug: string): Supplied => ({ is: (site) => site.instanceId(slug), says: FINDS_INSTANCE });
const clientOf = (slug: string, says: string): Supplied => ({ is: (site) => site.clientId(slug), says });

/** Returns the door that the page's first command creates. */
const createdDoor = (site: Site) =>
  z
    .object({ url: z.url(), generated: z.object({ secret: z.string() }) })
    .parse(JSON.parse(site.lastOutput("INSTANCE_ID/doors")));

/** Returns the body of a response to a command that contains `text`. */
const responseTo = (ran: readonly Ran[], text: string): unknown =>
  JSON.parse(ran.findLast((one) => one.text.includes(text))?.output ?? "");

export const tenantPages: readonly Page[] = [
  {
    name: "how-to/debug-a-tenant.md",
    given: { INSTANCE_ID: instanceOf("acme") },
    async check(_, ran) {
      expect(responseTo(ran, "passive=1")).toHaveProperty("liveness");
      expect(responseTo(ran, "/health")).toHaveProperty("incidents");
    },
  },
  {
    name: "how-to/receive-webhooks.md",
    given: {
      INSTANCE_ID: instanceOf("acme"),
      DOOR_URL: {
        is: (site) => `http://hooks.${DOMAIN}:${site.edge.port}${new URL(createdDoor(site).url).pathname}`,
        says: "`DOOR_URL` is the `url` of the response, and `DOOR_SECRET` its `generated.secret`.",
      },
      DOOR_SECRET: {
        is: (site) => createdDoor(site).generated.secret,
        says: "`DOOR_URL` is the `url` of the response, and `DOOR_SECRET` its `generated.secret`.",
      },
    },
    async check(_, ran) {
      expect(ran.find(({ text }) => text.startsWith("curl -i"))?.output).toMatch(/^HTTP\/1\.1 200 /);
      expect(responseTo(ran, 'INSTANCE_ID/inbox" ')).toMatchObject({ inbox: { limit: 20_000 } });
    },
  },
  {
    name: "how-to/freeze-a-tenant.md",
    given: { CLIENT_ID: clientOf("acme", "[Call the API](call-the-api.md) finds `CLIENT_ID`.") },
    async check(site) {
      expect(await site.api("GET", `/client/${await site.clientId("acme")}/credit`)).toMatchObject({ prepaid: true });
      await site.api("PUT", `/client/${await site.clientId("acme")}/credit`, { prepaid: false });
    },
  },
  {
    name: "how-to/connect-a-program-or-device.md",
    prepare: async (site) => {
      await sql(
        site.edge,
        `with member as (
           insert into tenantry.client_users (client_id, email, role, status, validated_at)
           select id, 'lena@acme.example', 'ADMIN', 'validated', now() from tenantry.clients where slug = 'acme'
           returning id, client_id)
         insert into tenantry.client_user_instances (client_user_id, instance_id)
         select m.id, i.id from member m join tenantry.instances i on i.client_id = m.client_id`,
      );
    },
    given: {
      CLIENT_ID: clientOf(
        "acme",
        "[Call the API](call-the-api.md) sets `DASHBOARD` and `TOKEN`, and finds `CLIENT_ID`.",
      ),
      BASE_USER: { is: () => "BASE_USER", says: "The role is `BASE_USER` or `ADMIN`." },
      USER_ID: {
        is: async (site) => {
          const { data } = users.parse(await site.api("GET", `/api/clients/${await site.clientId("acme")}/users`));
          return data.find(({ email }) => email === "lena@acme.example")?.id ?? "";
        },
        says: "`USER_ID` is the `id` of a user in `/api/clients/CLIENT_ID/users`.",
      },
      ACCESS_ID: {
        is: (site) => createdToken.parse(JSON.parse(site.lastOutput("/tokens"))).access_client_id,
        says: "`ACCESS_ID` is `access_client_id`, and `ACCESS_SECRET` is `client_secret` of the response:",
      },
      ACCESS_SECRET: {
        is: (site) => createdToken.parse(JSON.parse(site.lastOutput("/tokens"))).client_secret,
        says: "`ACCESS_ID` is `access_client_id`, and `ACCESS_SECRET` is `client_secret` of the response:",
      },
    },
    // The automation service adds the token to the tenant's Access group.
    steps: {
      "curl http": ({ edge }) =>
        expect
          .poll(() => JSON.stringify(edge.store.list("access_group")), { timeout: 60_000 })
          .toContain('"service_token"'),
    },
    async check(site, ran) {
      expect(ran.find(({ text }) => text.includes("CF-Access-Client-Id"))?.output).toContain("lena@acme.example");
      expect(responseTo(ran, "call getSession")).toMatchObject({
        user: { email: "lena@acme.example", role: "BASE_USER" },
      });
      const listed = await site.api("GET", `/api/clients/${await site.clientId("acme")}/tokens`);
      expect(listed).toMatchObject({ data: [{ name: "Laptop", email: "lena@acme.example" }] });
    },
  },
  {
    name: "how-to/use-openclaw-programs.md",
    given: {
      ACCESS_ID: { is: () => "0.access", says: "`ACCESS_ID` and `ACCESS_SECRET` are the token's values:" },
      ACCESS_SECRET: { is: () => "0", says: "`ACCESS_ID` and `ACCESS_SECRET` are the token's values:" },
    },
  },
  {
    name: "how-to/change-an-image.md",
    prepare: (site) =>
      setImages(site.edge, {
        [reference("1")]: imageVariables({ version: "2026.9.6" }),
        [reference("2")]: imageVariables({ version: "2026.9.7" }),
      }),
    given: {
      INSTANCE_ID: instanceOf("shop"),
      IMAGE: {
        is: () => reference("1"),
        says: "`IMAGE` is the image's address with its digest, as `docker push` or `wrangler containers push` prints it.",
      },
      GATEWAY: {
        is: () => GATEWAY,
        says: "`GATEWAY` and the version are what the gateway reports, such as `openclaw`.",
      },
      IMAGE_ID: idFrom("/images", "`IMAGE_ID` is the `id` that it prints."),
    },
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
    given: {
      CLIENT_ID: clientOf(
        "shop",
        "[Call the API](call-the-api.md) sets `DASHBOARD` and `TOKEN`, and finds `CLIENT_ID`.",
      ),
      IMAGE: {
        is: () => reference("2"),
        says: "`IMAGE` is its address, `GATEWAY` and the version are what its gateway reports ([change an image](change-an-image.md)).",
      },
      GATEWAY: { is: () => GATEWAY, says: "`GATEWAY` and the version are what its gateway reports" },
      IMAGE_ID: idFrom("/images", "`IMAGE_ID` is the `id` that this prints."),
      ROLLOUT_ID: idFrom('/rollouts"', "`ROLLOUT_ID` is the `id` that the start printed."),
      '"soak_minutes": 30, "notice_hours": 24': {
        is: () => '"soak_minutes": 0, "notice_hours": 0',
        because: "a test does not wait",
      },
    },
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
    given: {
      INSTANCE_ID: instanceOf("shop"),
      BACKUP_ID: {
        is: (site) => listed.parse(JSON.parse(site.lastOutput("/backups"))).data[0]?.id ?? "",
        says: "`BACKUP_ID` is its `id` in the list.",
      },
      JOB_ID: idFrom("/restore", "`JOB_ID` is the `id` that the restore printed."),
    },
    check: async (_, ran) => {
      expect(responseTo(ran, "/jobs/")).toMatchObject({ kind: "restore_backup", status: "succeeded" });
    },
  },
  {
    name: "how-to/move-a-tenant-between-git-and-dashboard.md",
    // The platform's image and keys have changed since.
    prepare: (site) => site.deploy("prod-team"),
    given: {
      acme: { is: () => "shop", because: "the walk's tenant of the dashboard" },
    },
    async check(site) {
      const rows = await sql(site.edge, "select managed_by from tenantry.clients where slug = 'shop'");
      expect(rows).toEqual([{ managed_by: "dashboard" }]);
    },
  },
];
