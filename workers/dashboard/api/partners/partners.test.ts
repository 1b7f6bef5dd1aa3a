/** Partners, their branding, their logos and their hosts over HTTP. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient } from "#database/testing/fixtures.ts";
import { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

const create = async (slug: string, name?: string) =>
  (await api.call(partnerRoutes.createPartner, { as: "root", body: { slug, ...(name && { name }) } })).body;
const style = async (as: As, partner_id: string) =>
  (await api.call(partnerRoutes.getPartnerStyle, { as, params: { partner_id } })).body;
const upload = (as: As, partner_id: string, body: Uint8Array | string) =>
  api.fetch(`/partner/${partner_id}/logo`, { method: "PUT", email: api.emails[as], body });

/** The shortest recognizable image of each format. */
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]);
const WEBP = new TextEncoder().encode("RIFF\u0004\u0000\u0000\u0000WEBPVP8 ");
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>';

test("creates, reads, lists and updates partners, with version checks", async () => {
  const made = await create("globex", "Globex Integrators");
  expect(made).toMatchObject({ slug: "globex", name: "Globex Integrators", managed_by: "dashboard", version: 1 });
  expect((await create("acme-partners")).name).toBe("acme-partners");
  const params = { id: made.id };
  const body = { name: "Globex" };
  const changed = await api.call(partnerRoutes.updatePartner, {
    as: "root",
    params,
    body,
    headers: { "if-match": '"1"' },
  });
  expect([changed.body.name, changed.body.slug, changed.headers.get("etag")]).toEqual(["Globex", "globex", '"2"']);
  const stale = { as: "root", params, body, headers: { "if-match": '"1"' } } as const;
  expect((await api.refused(partnerRoutes.updatePartner, stale)).status).toBe(412);
  const seen: string[] = [];
  let after: string | null = "";
  while (after !== null) {
    const query: Record<string, string> = { limit: "2", ...(after !== "" && { after }) };
    const page = await api.call(partnerRoutes.listPartners, { as: "root", query });
    seen.push(...page.body.data.map(({ slug }) => slug));
    after = page.body.pagination.next;
  }
  expect(seen).toEqual(["acme-partners", "globex", "north", "south"]);
  expect((await api.fetchAs("root", "POST", "/partner", { slug: "globex" })).status).toBe(409);
  expect((await api.fetchAs("root", "POST", "/partner", { slug: "No Label" })).status).toBe(400);
});

test("deletes a partner without dependents, lists them otherwise, and refuses with clients", async () => {
  const { db } = api.database;
  const { id } = await create("leaving");
  const remove = (query: Record<string, string> = {}) => ({ as: "root", params: { id }, query }) as const;
  await db.insertInto("tenantry.users").values({ email: "a@leaving.test", partner_id: id }).execute();
  const root = { email: "b@leaving.test", role: "PARTNER_ROOT", partner_id: id, managed_by: "dashboard" };
  await db.insertInto("tenantry.dashboard_users").values(root).execute();
  await api.fetchAs("root", "POST", `/partner/${id}/domains`, { hostname: "leaving.test" });
  const client = await insertClient(db, { slug: "hanging", partner_id: id });
  expect((await api.call(partnerRoutes.getPartner, { as: "root", params: { id } })).body.clients).toBe(1);
  const held = await api.refused(partnerRoutes.deletePartner, remove({ cascade: "true" }));
  const rest = { users: 1, dashboard_users: 1, domains: 1 };
  expect(held).toMatchObject({ status: 409, error: { code: "conflict", details: { clients: 1, ...rest } } });
  await db.deleteFrom("tenantry.clients").where("id", "=", client).execute();
  const reported = await api.refused(partnerRoutes.deletePartner, remove());
  expect(reported).toMatchObject({ status: 409, error: { details: { clients: 0, ...rest } } });
  expect((await api.fetch("/client", { email: root.email })).status).toBe(200);
  expect((await api.call(partnerRoutes.deletePartner, remove({ cascade: "true" }))).status).toBe(204);
  expect((await api.fetch("/client", { email: root.email })).status).toBe(403);
  expect((await api.fetchAs("root", "GET", `/partner/${id}`)).status).toBe(404);
});

test("refuses changes of a partner in Git, except its branding", async () => {
  const { id } = await api.database.db
    .insertInto("tenantry.partners")
    .values({
      slug: "of-git",
      name: "Of Git",
      owner: "urn:pulumi:prod::tenantry::t:P::of-git",
      style: JSON.stringify({ colours: "odd", theme: "dark" }),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { body } = await api.call(partnerRoutes.getPartner, { as: "root", params: { id } });
  expect(body).toMatchObject({ managed_by: "git", declared_in: "Pulumi.prod.yaml" });
  expect((await api.fetchAs("root", "PUT", `/partner/${id}`, { name: "x" })).status).toBe(409);
  expect((await api.fetchAs("root", "DELETE", `/partner/${id}`)).status).toBe(409);
  expect(await style("root", id)).toMatchObject({ display_name: "Of Git", colours: null, support_address: null });
  expect((await api.fetchAs("root", "PUT", `/partner/${id}/style`, { display_name: "Shown" })).status).toBe(200);
  expect((await style("root", id)).display_name).toBe("Shown");
});

test("lets a partner root change only its own branding, with enough contrast", async () => {
  const { north, south } = api.partners;
  const put = (as: As, partner_id: string, body: unknown) => ({ as, params: { partner_id }, body }) as const;
  const colours = { text: "#1c2024", background: "#ffffff", accent: "#0B57D0" };
  const body = { display_name: "Nordlicht", colours, support_address: "help@north.test" };
  const branded = await api.call(partnerRoutes.putPartnerStyle, put("north", north, body));
  expect(branded.body).toMatchObject({ partner_id: north, ...body, logo_url: null });
  expect(await style("north", north)).toEqual(branded.body);
  const pale = { ...colours, text: "#777777", accent: "#aaaaaa" };
  const refused = await api.refused(partnerRoutes.putPartnerStyle, put("north", north, { colours: pale }));
  expect([refused.status, JSON.stringify(refused.error.details)]).toEqual([400, expect.stringContaining("4.48")]);
  for (const display_name of ["North\r\nBcc: all@north.test", "Nord\u2028licht", "Nord\u202Elicht"]) {
    expect((await api.refused(partnerRoutes.putPartnerStyle, put("north", north, { display_name }))).status).toBe(400);
  }
  for (const odd of ["red", "#fff", "#1c2024;}", "url(#a)"]) {
    const sent = put("north", north, { colours: { ...colours, text: odd } });
    expect((await api.refused(partnerRoutes.putPartnerStyle, sent)).status).toBe(400);
  }
  for (const [method, sent] of [
    ["GET", undefined],
    ["PUT", {}],
  ] as const) {
    expect((await api.fetchAs("north", method, `/partner/${south}/style`, sent)).status).toBe(404);
  }
  expect((await upload("north", south, PNG)).status).toBe(404);
  expect((await api.fetchAs("north", "DELETE", `/partner/${south}/logo`)).status).toBe(404);
  expect((await style("south", south)).display_name).toBe("south");
});

test("previews a branding with the real page and mail, only in a frame of the dashboard", async () => {
  const { north } = api.partners;
  const path = (query: Record<string, string>) => `/partner/${north}/style/preview?${new URLSearchParams(query)}`;
  const colours = { text: "#123456", background: "#fefefe", accent: "#aa0011" };
  const draft = { display_name: 'Nord "&" <Licht>', ...colours };
  const before = await style("north", north);
  for (const page of ["invitation", "mail"] as const) {
    const shown = await api.fetchAs("north", "GET", path({ page, ...draft }));
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(shown.headers.get("x-frame-options")).toBe("SAMEORIGIN");
    const policy = shown.headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "form-action 'none'", "frame-ancestors 'self'", "sandbox"]) {
      expect(policy.split("; ")).toContain(rule);
    }
    expect(policy).not.toContain("script");
    const text = await shown.text();
    expect(text).toContain("Nord &quot;&amp;&quot; &lt;Licht&gt; invites you");
    expect(text).toContain("Sample data");
    expect(text).toContain("#aa0011");
  }
  expect(await style("north", north)).toEqual(before);
  const plain = await (await api.fetchAs("north", "GET", path({}))).text();
  expect(plain).toContain("north invites you");
  const odd = [{ page: "other" }, { text: "red" }, { accent: "#fff;}" }, { support_address: "nobody" }];
  for (const query of odd) expect((await api.fetchAs("north", "GET", path(query))).status).toBe(400);
  expect((await api.fetchAs("south", "GET", path({}))).status).toBe(404);
  // No other page allows frames.
  expect((await api.fetchAs("north", "GET", "/reference")).headers.get("x-frame-options")).toBe("DENY");
});

test("sends events of partners and their branding", async () => {
  const { id } = await create("renamed");
  const params = { id };
  await api.call(partnerRoutes.updatePartner, { as: "root", params, body: { name: "Renamed" } });
  await api.call(partnerRoutes.putPartnerStyle, { as: "root", params: { partner_id: id }, body: {} });
  await upload("root", id, PNG);
  const reported = async () =>
    (
      await api.database.db
        .selectFrom("tenantry.events")
        .select(["kind", "partner_id"])
        .where("kind", "like", "partner.%")
        .where(sql`data->>'partner_id'`, "=", id)
        .orderBy("id")
        .execute()
    ).map(({ kind, partner_id }) => [kind, partner_id]);
  const kinds = ["partner.created", "partner.changed", "partner.branded", "partner.branded"];
  expect(await reported()).toEqual(kinds.map((kind) => [kind, id]));
  await api.call(partnerRoutes.deletePartner, { as: "root", params });
  // Events of the partner are deleted with it.
  expect(await reported()).toEqual([["partner.deleted", null]]);
});

test("detects a logo's type by its content, and serves it publicly at an immutable address", async () => {
  const { id } = await create("logos");
  const kinds = [
    ["image/png", PNG],
    ["image/jpeg", JPEG],
    ["image/webp", WEBP],
    ["image/svg+xml", SVG],
  ] as const;
  for (const [type, sent] of kinds) {
    const put = await upload("root", id, sent);
    expect([type, put.status]).toEqual([type, 200]);
    const { logo_url } = await style("root", id);
    const shown = await api.fetch(logo_url ?? "");
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, type]);
    expect(shown.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(shown.headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
    expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
    expect(shown.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const bytes = new Uint8Array(await shown.arrayBuffer());
    if (typeof sent !== "string") expect(bytes).toEqual(sent);
    const etag = shown.headers.get("etag") ?? "";
    expect((await api.fetch(logo_url ?? "", { headers: { "if-none-match": etag } })).status).toBe(304);
  }
  // An old or missing hash returns the present logo, without permanent caching.
  for (const path of [`/logos/${id}`, `/logos/${id}?hash=older`]) {
    expect((await api.fetch(path)).headers.get("cache-control")).toBe("public, max-age=300");
  }
  expect((await api.fetchAs("root", "DELETE", `/partner/${id}/logo`)).status).toBe(204);
  expect((await api.fetch(`/logos/${id}`)).status).toBe(404);
  // A deleted logo is not found.
  expect((await api.fetchAs("root", "GET", `/partner/${id}/logo`)).status).toBe(404);
  expect((await style("root", id)).logo_url).toBeNull();
});

test("stores the referenced one of concurrent uploads, also with equal content", async () => {
  const { id } = await create("busy");
  for (let round = 0; round < 3; round++) {
    const sent = await Promise.all([PNG, JPEG, PNG, JPEG].map((bytes) => upload("root", id, bytes)));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const shown = await api.fetch((await style("root", id)).logo_url ?? "");
    expect([shown.status, (await shown.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  }
});

test("limits requests for logos by network", async () => {
  const { id } = await create("asked-for");
  await upload("root", id, PNG);
  const status = async (network: string) =>
    (await api.fetch(`/logos/${id}`, { headers: { "cf-connecting-ip": network } })).status;
  expect(await status("198.51.100.1")).toBe(200);
  await expect.poll(() => status("198.51.100.1"), { timeout: 40_000, interval: 0 }).toBe(429);
  expect(await status("198.51.100.2")).toBe(200);
});

test("refuses files that are not images, active content and large files, and keeps the previous logo", async () => {
  const { id } = await create("strict");
  await upload("root", id, PNG);
  const before = await style("root", id);
  const status = async (body: Uint8Array | string) => (await upload("root", id, body)).status;
  expect(await status("")).toBe(400);
  expect(await status("GIF89a")).toBe(400);
  expect(await status("<html><script>alert(1)</script></html>")).toBe(400);
  expect(await status(SVG.replace("<path", "<script/><path"))).toBe(400);
  expect(await status(Uint8Array.from([0x3c, 0xff, 0xfe]))).toBe(400);
  expect(await status(new Uint8Array(256 * 1024 + 1))).toBe(413);
  const whole = new Uint8Array(256 * 1024);
  whole.set(PNG);
  expect(await status(whole)).toBe(200);
  await upload("root", id, PNG);
  expect((await style("root", id)).logo_url).toBe(before.logo_url);
});

test("lists a partner's hosts to its roots, and lets only platform roots change them", async () => {
  const { north, south } = api.partners;
  const add = (partner_id: string, hostname: string, as: As = "root") =>
    api.fetchAs(as, "POST", `/partner/${partner_id}/domains`, { hostname });
  expect((await add(north, "Agents.North.test")).status).toBe(201);
  expect((await add(south, "agents.north.test")).status).toBe(409);
  expect((await add(south, "acme.example.test")).status).toBe(409);
  for (const odd of ["north", "-a.test", "a..test", "https://a.test", "a.test/x", `${"a".repeat(64)}.test`]) {
    expect([odd, (await add(north, odd)).status]).toEqual([odd, 400]);
  }
  expect((await add(north, "more.north.test", "north")).status).toBe(403);
  const params = { partner_id: north };
  const { body } = await api.call(partnerRoutes.listPartnerDomains, { as: "north", params });
  expect(body.data.map(({ hostname, verified_at }) => [hostname, verified_at])).toEqual([["agents.north.test", null]]);
  expect((await api.fetchAs("south", "GET", `/partner/${north}/domains`)).status).toBe(404);
  const path = (partner: string) => `/partner/${partner}/domains/${body.data[0]?.id}`;
  expect((await api.fetchAs("root", "DELETE", path(south))).status).toBe(404);
  expect((await api.fetchAs("root", "DELETE", path(north))).status).toBe(204);
});
