/** Invites a user, who accepts, enters and is removed, and freezes a tenant, all with `npm start`. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDatabase } from "@tenantry/postgres";
import { freePort } from "@tenantry/std/free-port";
import { logIn, openBrowser } from "@tenantry/test-kit/browser";
import Cloudflare from "cloudflare";
import type { Browser, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket as Client } from "ws";
import { type EdgeFile, readEdgeFile } from "#local/state/edge-file.ts";
import { killPrograms, READY, startProgram } from "../testing/edge-program.ts";
import { call } from "../testing/http.ts";
import { invitationsTo } from "../testing/mail.ts";
import { sql } from "../testing/sql.ts";

const TIMEOUT = { timeout: 90_000, interval: 200 };
const DORA = "dora@elsewhere.example";
const DASH = "dash.tenantry.localhost";
const TENANT = "acme.tenantry.localhost";

let state: string;
let browser: Browser;
beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "tenantry-start-"));
  browser = await openBrowser();
});
afterEach(async () => {
  await browser.close();
  killPrograms();
  await removeDatabase(join(state, "postgres"));
  rmSync(state, { recursive: true, force: true });
});

async function members({ apiToken, api, accountId: account_id }: EdgeFile): Promise<string> {
  const cloudflare = new Cloudflare({ apiToken, baseURL: api });
  const { result } = await cloudflare.zeroTrust.access.groups.list({ account_id, name: `Members of ${TENANT}` });
  return JSON.stringify(result[0]?.include);
}

/** Opens the dashboard's live events, as its page does. */
async function listen(page: Page): Promise<() => Promise<{ kind: string; data: unknown }[]>> {
  const events = await page.evaluateHandle(
    () =>
      new Promise<{ kind: string; data: unknown }[]>((resolve, reject) => {
        const heard: { kind: string; data: unknown }[] = [];
        const socket = new WebSocket(`ws://${location.host}/live`);
        socket.onmessage = ({ data }) => {
          heard.push(JSON.parse(data));
          resolve(heard);
        };
        socket.onclose = ({ code }) => reject(new Error(`closed with ${code}`));
      }),
  );
  return () => events.jsonValue();
}

/** Returns the status that refuses a WebSocket of the live events. */
async function refusedEvents(edge: EdgeFile, headers: Record<string, string>): Promise<number | undefined> {
  const socket = new Client(`ws://127.0.0.1:${edge.port}/live`, {
    headers: { host: `${DASH}:${edge.port}`, ...headers },
  });
  socket.on("error", () => undefined);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  response.resume();
  return response.statusCode;
}

test("an invited user gets a mail, shown live in the dashboard, accepts in the browser, enters the tenant, and is refused once removed; a frozen tenant refuses at once", async () => {
  const run = startProgram("--state", state, "--port", String(await freePort()));
  await run.printed(READY);
  const edge = readEdgeFile(state);

  const office = await browser.newContext({ bypassCSP: true });
  const dashboard = await office.newPage();
  await dashboard.goto(`http://${DASH}:${edge.port}/clients`);
  await logIn(dashboard, "root@tenantry.example");
  await dashboard.getByRole("link", { name: /acme/ }).waitFor();
  const [session] = (await office.cookies(`http://${DASH}:${edge.port}/`)).filter(
    ({ name }) => name === "CF_Authorization",
  );
  const api = async (method: string, path: string, body?: object) => {
    const answer = await call(edge, DASH, path, {
      method,
      headers: { cookie: `CF_Authorization=${session?.value}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.status, answer.body).toBeLessThan(300);
    return answer.body === "" ? undefined : JSON.parse(answer.body);
  };
  const events = await listen(dashboard);
  expect((await events()).map(({ kind }) => kind)).toEqual(["live.ready"]);
  const cookie = `CF_Authorization=${session?.value}`;
  expect(await refusedEvents(edge, { cookie, origin: `http://${TENANT}:${edge.port}` })).toBe(403);
  expect(await refusedEvents(edge, { origin: `http://${DASH}:${edge.port}` })).toBe(302);

  const { data } = await api("GET", "/client?search=acme");
  const [{ id: client, instance }] = data;

  const invited = await api("POST", `/api/clients/${client}/users`, {
    email: DORA,
    name: "Dora",
    role: "BASE_USER",
    instance_ids: [instance.id],
  });
  await expect.poll(() => invitationsTo(edge, DORA), TIMEOUT).toHaveLength(1);
  const mailSent = { kind: "mail.sent", data: { client_user_id: invited.id } };
  await expect
    .poll(events, TIMEOUT)
    .toContainEqual(expect.objectContaining({ ...mailSent, data: expect.objectContaining(mailSent.data) }));
  const [link = ""] = await invitationsTo(edge, DORA);
  expect(await members(edge)).not.toContain(DORA);

  const home = await browser.newContext();
  const page = await home.newPage();
  // Reading does not accept: mail scanners read links.
  await page.goto(link);
  await page.goto(link);
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByRole("link", { name: /^Open / }).waitFor();
  await expect.poll(() => members(edge), TIMEOUT).toContain(DORA);
  await page.getByRole("link", { name: /^Open / }).click();
  await logIn(page, DORA);
  await page.getByText("Gateway of acme").waitFor();
  await expect.poll(() => page.locator("#role").textContent()).toBe("BASE_USER");

  await api("DELETE", `/api/clients/${client}/users/${invited.id}`);
  const enter = async () => (await page.goto(`http://${TENANT}:${edge.port}/`))?.status();
  await expect.poll(enter, TIMEOUT).toBe(403);
  await expect.poll(() => members(edge), TIMEOUT).not.toContain(DORA);

  // An order takes effect as soon as its job has ended.
  const health = async () => (await call(edge, TENANT, "/api/health?passive=1")).status;
  const freezing = async (kind: "freeze" | "resume") => {
    await api("POST", `/client/${client}/${kind}`, kind === "freeze" ? {} : undefined);
    const status = async () => (await api("GET", `/jobs?client_id=${client}&kind=${kind}`)).data[0]?.status;
    await expect.poll(status, TIMEOUT).toBe("succeeded");
  };
  expect(await health()).toBe(200);
  await freezing("freeze");
  expect(await health()).toBe(403);
  await freezing("resume");
  expect(await health()).toBe(200);

  // Everything is in the audit log, with its actor and without the token.
  const audited = JSON.stringify(
    await sql(
      edge,
      "select actor, action, entity, after from tenantry.audit_log where entity = 'client_users' order by id",
    ),
  );
  for (const actor of ["root@tenantry.example", DORA]) expect(audited).toContain(actor);
  expect(audited).not.toContain(link.split("/").at(-1));
  run.child.kill("SIGINT");
  expect(await run.ended, run.output()).toBe(0);
});
