/** Texts of database errors: every violation in the catalog, through every interface that it can reach. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials, Server, ServerCredentials, type sendUnaryData } from "@grpc/grpc-js";
import engineGrpc from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { startServer } from "@tenantry/plugin-host";
import { toStruct } from "@tenantry/plugin-host/testing/protocol";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Fields } from "#automation/log.ts";
import { causeOf } from "#automation/task.ts";
import { startDispatchStandIn } from "#automation/testing/dispatch-stand-in.ts";
import { startTestService } from "#automation/testing/test-service.ts";
import { databaseFault } from "#database/errors/database-fault.ts";
import { insertClient } from "#database/testing/fixtures.ts";
import {
  errorOf,
  isStated,
  listViolations,
  raiseNext,
  raiseOn,
  rawWords,
  type Violation,
} from "#database/testing/violations.ts";
import { failureText as fleetFailure } from "#fleet/failure.ts";
import { demoWarnings } from "#local/start/demo-data/warnings.ts";
import { describeFailure as startFailure } from "#local/start/failure.ts";
import { tenantry } from "#stack/provider/tenantry.ts";
import { type ApiUnderTest, startApi } from "#workers/dashboard/testing/start-api.ts";

let api: ApiUnderTest;
let violations: Violation[];
beforeAll(async () => {
  api = await startApi();
  const { pool } = api.database;
  violations = await listViolations(pool);
  await raiseOn(pool, "tenantry.clients", "before insert or delete");
});
afterAll(() => api?.stop());
beforeEach(() => raiseNext(api.database.pool, undefined));

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** Returns violations whose text has words of the database, or is empty. @param textOf the text that a person reads */
async function faultsOf(textOf: (violation: Violation) => Promise<string>): Promise<string[]> {
  const faults: string[] = [];
  for (const violation of violations) {
    const text = await textOf(violation);
    const raw = rawWords(text, violation);
    if (raw !== undefined) faults.push(`${violation.name}: ${JSON.stringify(raw)} in ${text}`);
    if (!/[.!?]/.test(text)) faults.push(`${violation.name}: no sentence: ${text}`);
  }
  return faults;
}

test("the catalog explains every kind of violation in a sentence", async () => {
  expect(violations.length).toBeGreaterThan(250);
  const messages = new Set<string>();
  const faults = await faultsOf(async (violation) => {
    const fault = databaseFault(await errorOf(api.database.pool, violation));
    messages.add(fault?.error.message ?? "");
    return fault?.error.message ?? "";
  });
  expect(faults).toEqual([]);
  expect(messages).toContain("A client with this slug already exists. Choose another slug.");
});

test.each(["application/json", "text/html"])("the dashboard's API and pages (%s)", async (accept) => {
  const { pool } = api.database;
  const ids: string[] = [];
  const faults = await faultsOf(async (violation) => {
    await raiseNext(pool, violation);
    const response = await api.fetch("/client/new", {
      method: "POST",
      email: api.emails.root,
      headers: { "content-type": "application/json", accept },
      body: JSON.stringify({ slug: "violating", billing_plan: "basic" }),
    });
    const text = await response.text();
    if (response.ok) throw new Error(`${violation.name} was not refused`);
    if (response.status === 500) ids.push(ID.exec(text)?.[0] ?? `none in ${text}`);
    // Only the text of a page, not its style.
    return text.replaceAll(/<(style|script)\b.*?<\/\1>|<[^>]*>/gs, " ");
  });
  expect(faults).toEqual([]);
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) expect(api.logs.join("\n")).toContain(id);
});

test("the provider: one sentence for the engine, with details of unexpected errors in its debug log only", async () => {
  const { pool, url } = api.database;
  const debug: string[] = [];
  const engine = new Server();
  engine.addService(
    engineGrpc.EngineService as never,
    {
      log({ request }: { request: LogRequest }, answer: sendUnaryData<object>) {
        debug.push(`${request.getSeverity()} ${request.getMessage()}`);
        answer(null, new emptyProto.Empty());
      },
    } as never,
  );
  const port = await new Promise<number>((resolve, reject) =>
    engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const server = await startServer([tenantry]);
  const client = new providerGrpc.ResourceProviderClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
  try {
    const handshake = new proto.ProviderHandshakeRequest();
    handshake.setEngineAddress(`127.0.0.1:${port}`);
    await new Promise((resolve) => client.handshake(handshake, resolve));
    const configure = new proto.ConfigureRequest();
    configure.setArgs(toStruct({ databaseUrl: url }));
    await new Promise((resolve) => client.configure(configure, resolve));
    const messages: string[] = [];
    const faults = await faultsOf(async (violation) => {
      await raiseNext(pool, violation);
      const request = new proto.CreateRequest();
      request.setUrn("urn:pulumi:test::tenantry::tenantry:index:DatabaseRecord::violating");
      request.setType("tenantry:index:DatabaseRecord");
      request.setProperties(
        toStruct({
          table: "tenantry.clients",
          key: { slug: "violating" },
          values: { name: "Violating", billing_plan: "basic" },
          initial: {},
          together: [],
          owner: "",
          takeOver: false,
        }),
      );
      const details = await new Promise<string>((resolve) =>
        client.create(request, (error) => resolve(error === null ? "" : error.details)),
      );
      messages.push(details);
      return details;
    });
    expect(faults).toEqual([]);
    const ids = messages.flatMap((details) => ID.exec(details)?.[0] ?? []);
    expect(ids.length).toBeGreaterThan(0);
    expect(debug).toHaveLength(ids.length);
    for (const id of ids) expect(debug.some((line) => line.startsWith(`0 ${id}: `))).toBe(true);
  } finally {
    client.close();
    await server.stop();
    engine.forceShutdown();
  }
});

test("causes of the automation service's tasks", async () => {
  const logged: Fields[] = [];
  const faults = await faultsOf(async (violation) =>
    causeOf(await errorOf(api.database.pool, violation), (_level, _event, fields = {}) => logged.push(fields)),
  );
  expect(faults).toEqual([]);
  const unexpected = violations.filter(({ code }) => code.startsWith("XX"));
  for (const { message } of unexpected) {
    expect(logged.some(({ detail }) => typeof detail === "string" && detail.includes(message))).toBe(true);
  }
});

test("the stored cause of a job, and its events", async () => {
  const { pool, db } = api.database;
  const dispatch = await startDispatchStandIn();
  const service = await startTestService(api.database, { DISPATCH_URL: dispatch.url });
  try {
    const named = (part: string) => violations.find(({ name }) => name.startsWith(part));
    const some = [
      "clients_environment_slug_key",
      "clients_partner_id_fkey (in use)",
      "jobs_kind_check",
      "XX000",
      "42501",
    ];
    for (const part of some) {
      const violation = named(part);
      if (violation === undefined) throw new Error(`There is no violation ${part}.`);
      await raiseNext(pool, undefined);
      const client_id = await insertClient(db, { managed_by: "dashboard", delete_after: new Date() });
      await raiseNext(pool, violation);
      const { rows } = await pool.query(
        `insert into tenantry.jobs (kind, client_id, slug, requested_by, deadline)
         values ('delete_client', $1, $2, 'service', now() + interval '1 hour') returning id`,
        [client_id, part.replaceAll(/\W|_/g, "").toLowerCase()],
      );
      const { id } = rows[0];
      await service.lines.find((line) => line.event === "job_failed" && line.job === id);
      for (;;) {
        const { rows: events } = await pool.query(
          "select message from tenantry.job_events where job_id = $1 and kind = 'retried'",
          [id],
        );
        if (events.length === 0) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          continue;
        }
        expect(rawWords(events[0].message, violation)).toBeUndefined();
        break;
      }
      const { rows: queued } = await pool.query("select last_error from graphile_worker._private_jobs where key = $1", [
        `job:${id}`,
      ]);
      expect(rawWords(String(queued[0]?.last_error ?? ""), violation)).toBeUndefined();
      await pool.query("update tenantry.jobs set status = 'cancelled', ended_at = now() where id = $1", [id]);
    }
  } finally {
    await service.stop();
    await dispatch.stop();
  }
});

test("commands of the fleet, npm start, and its warnings about demo data", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-errors-"));
  const before = process.cwd();
  process.chdir(directory);
  try {
    const messages: string[] = [];
    for (const textOf of [
      fleetFailure,
      (error: unknown) => startFailure(error, directory),
      (error: unknown) => demoWarnings([{ what: "the tenant acme", error }], directory).join("\n"),
    ]) {
      const faults = await faultsOf(async (violation) => {
        const text = textOf(await errorOf(api.database.pool, violation));
        messages.push(text);
        return text;
      });
      expect(faults).toEqual([]);
    }
    const logs =
      readFileSync(join(directory, ".fleet/errors.log"), "utf8") + readFileSync(join(directory, "start.log"), "utf8");
    const ids = messages.flatMap((text) => ID.exec(text)?.[0] ?? []);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) expect(logs).toContain(id);
  } finally {
    process.chdir(before);
    rmSync(directory, { recursive: true });
  }
});

test("messages of the platform's own functions are unchanged", async () => {
  const stated = violations.filter(isStated);
  expect(stated.length).toBeGreaterThan(15);
  for (const violation of stated) {
    const fault = databaseFault(await errorOf(api.database.pool, violation));
    expect(fault?.kind).toBe("stated");
    const words = violation.message.replace(/^no_\w+_capacity: /, "");
    expect(fault?.error.message.toLowerCase().replaceAll(". ", "; ")).toBe(`${words}.`.toLowerCase());
  }
});
