import { expect, test } from "vitest";
import { callOperation } from "./call.ts";

const CLIENT = "5f2d4c1e-3b6a-4f7d-8e9c-0a1b2c3d4e5f";
const INSTANCE = "6a3e5d2f-4c7b-4a8e-9fad-1b2c3d4e5f60";
const JOB = "7b4f6e30-5d8c-4b9f-8abe-2c3d4e5f6071";
const DASHBOARD = { DASHBOARD: "https://dash.example.test", TOKEN: "root-token" };
const TENANT = {
  TENANT_URL: "https://acme.example.test",
  CF_ACCESS_CLIENT_ID: "id.access",
  CF_ACCESS_CLIENT_SECRET: "secret",
};

type Answers = Readonly<Record<string, unknown>>;

/** Calls an API that gives `answers` by method and path, those of a list one after another. */
async function calling(command: string, answers: Answers, variables: Readonly<Record<string, string>> = DASHBOARD) {
  const sent: { url: string; body: unknown; headers: Headers }[] = [];
  const said: string[] = [];
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    const { pathname, search } = new URL(String(input));
    const url = `${init.method} ${pathname}${search}`;
    sent.push({ url, body: init.body ?? undefined, headers: new Headers(init.headers) });
    const found = answers[url];
    const answer = Array.isArray(found) ? found.shift() : found;
    return answer instanceof Response
      ? answer
      : Response.json(answer ?? { error: { code: "not_found", message: url } }, {
          status: answer === undefined ? 404 : 200,
        });
  };
  const [operation = "", ...rest] = command.split(" ");
  const at = rest.indexOf("--tenant");
  const answer = callOperation({
    operation,
    values: rest.filter((word, index) => !word.startsWith("--") && (at === -1 || index !== at + 1)),
    tenant: at === -1 ? undefined : rest[at + 1],
    wait: rest.includes("--wait"),
    variables,
    signal: new AbortController().signal,
    say: (line) => said.push(line),
    fetch: fetch as typeof globalThis.fetch,
  });
  return { answer: await answer.catch((error: Error) => error.message), sent, said };
}

const root = { "GET /session": { user: { role: "ROOT" }, tenant: null } };
const found = {
  data: [
    { id: "other", slug: "acme-2", instance: null },
    { id: CLIENT, slug: "acme", instance: { id: INSTANCE } },
  ],
  pagination: { next: null },
};
const job = { id: JOB, kind: "restore_backup", progress: 0, status: "queued", ended_at: null, cause: null };

test("finds the ids of a tenant by its slug, with the login of a user of the dashboard", async () => {
  const path = `POST /client/instance/${INSTANCE}/restart`;
  const answers = { ...root, "GET /client?search=acme": found, [path]: { restarting: true } };
  const { answer, sent } = await calling("restartInstance --tenant acme", answers);
  expect(answer).toEqual({ restarting: true });
  expect(sent.map(({ url }) => url)).toEqual(["GET /session", "GET /client?search=acme", path]);
  expect(sent.every(({ headers }) => headers.get("cf-access-token") === "root-token")).toBe(true);
});

test("uses the tenant of a service token, whose secret only the tenant receives", async () => {
  const api = "/console/acme/api";
  const answers = {
    "POST /.tenantry/session": {
      token: "session",
      expires_at: "2999-01-01T00:00:00Z",
      api_url: `https://dash.example.test${api}`,
    },
    [`GET ${api}/session`]: { user: {}, tenant: { client: { id: CLIENT, slug: "acme" }, instance_id: INSTANCE } },
    [`GET ${api}/client/${CLIENT}/usage?from=2026-11-01`]: { data: [] },
  };
  const { answer, sent } = await calling("listUsage from=2026-11-01", answers, TENANT);
  expect(answer).toEqual({ data: [] });
  expect(sent.filter(({ headers }) => headers.has("cf-access-client-secret")).map(({ url }) => url)).toEqual([
    "POST /.tenantry/session",
  ]);
});

test("sends the values of a body as JSON, or as text", async () => {
  const path = `PUT /client/instance/${INSTANCE}/pin`;
  const { sent } = await calling(`pinInstance instance_id=${INSTANCE} pinned=true`, { [path]: {} });
  expect(sent).toMatchObject([{ url: path, body: '{"pinned":true}' }]);
  const named = await calling("createClient slug=shop name=Shop billing_plan=basic", { "POST /client/new": {} });
  expect(named.sent).toMatchObject([{ body: '{"slug":"shop","name":"Shop","billing_plan":"basic"}' }]);
});

test("waits for the requested job, and reports each progress once", async () => {
  const path = `POST /client/instance/${INSTANCE}/restore`;
  const done = { ...job, status: "succeeded", progress: 100, ended_at: "2026-11-28T12:00:00Z", events: [] };
  const answers = { [path]: job, [`GET /jobs/${JOB}`]: [job, job, done] };
  const { answer, said } = await calling(`restoreBackup instance_id=${INSTANCE} backup_id=b --wait`, answers);
  expect(answer).toEqual(done);
  expect(said).toEqual(["restore_backup: queued, 0 %", "restore_backup: succeeded, 100 %"]);
});

test("returns another type than JSON as it is", async () => {
  const path = `GET /client/instance/${INSTANCE}/backups/b`;
  const file = new Response("archive", { headers: { "content-type": "application/gzip" } });
  expect((await calling(`downloadBackup instance_id=${INSTANCE} backup_id=b`, { [path]: file })).answer).toBe(file);
});

const refused = Response.json(
  { error: { code: "conflict", message: "The instance is frozen. Resume it." } },
  { status: 409 },
);
const failedJob = { ...job, status: "failed", ended_at: "2026-11-28T12:00:00Z", cause: "The backup was not found." };
test.each<[string, string, Answers, Readonly<Record<string, string>>, string]>([
  [
    "an unknown operation, with similar ones",
    "restartInstances",
    {},
    DASHBOARD,
    'no operation "restartInstances". Name an operation, such as restartInstance',
  ],
  ["an unknown operation without a similar one", "x", {}, DASHBOARD, "such as getSession"],
  ["a missing login", "getSession", {}, { DASHBOARD: "https://dash.example.test" }, "Set DASHBOARD and TOKEN"],
  ["a value without a name", "listClients acme", {}, DASHBOARD, '"acme" is not NAME=VALUE'],
  ["a missing value of the path", "getJob", {}, DASHBOARD, "getJob requires id. Add id=VALUE"],
  ["a missing tenant", "restartInstance", root, DASHBOARD, "requires instance_id"],
  [
    "an unknown tenant",
    "restartInstance --tenant ac",
    { ...root, "GET /client?search=ac": found },
    DASHBOARD,
    "no tenant ac",
  ],
  [
    "a tenant without an instance",
    "getInstance --tenant acme-2",
    { ...root, "GET /client?search=acme-2": found },
    DASHBOARD,
    "createInstance client_id=other",
  ],
  [
    "a refused call, with the API's text",
    `restartInstance instance_id=${INSTANCE}`,
    { [`POST /client/instance/${INSTANCE}/restart`]: refused },
    DASHBOARD,
    "The instance is frozen. Resume it.",
  ],
  [
    "a failed job",
    `backUpInstance instance_id=${INSTANCE} --wait`,
    { [`POST /client/instance/${INSTANCE}/backup`]: job, [`GET /jobs/${JOB}`]: failedJob },
    DASHBOARD,
    `The job ${JOB} ended with the status failed: The backup was not found.`,
  ],
])("reports %s", async (_, command, answers, variables, message) => {
  expect((await calling(command, answers, variables)).answer).toContain(message);
});
