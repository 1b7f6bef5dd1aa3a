import { createServer } from "node:net";
import { listen } from "@tenantry/std/listening";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { killServiceProcesses, type ServiceProcess, startServiceProcess } from "./testing/service-process.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase({ environments: ["production", "development"] });
});
afterEach(killServiceProcesses);
afterAll(() => database.stop());

const get = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
};

describe("the service's process", () => {
  test("serves health and queue metrics, and ends on SIGTERM", async () => {
    const service = startServiceProcess(database);
    const url = await service.healthUrl();
    expect(await get(`${url}/healthz`)).toEqual({ status: 200, text: '{"status":"ok"}\n' });
    const { text } = await get(`${url}/metrics`);
    expect(text).toContain('tenantry_queue_jobs{task="mail",state="ready",environment="production"} 0');
    expect(text).toContain('tenantry_queue_oldest_ready_seconds{task="mail",environment="production"} 0');
    expect(text).toContain('tenantry_task_runs_total{task="mail",outcome="exhausted",environment="production"} 0');
    expect((await get(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/healthz`, { method: "POST" })).status).toBe(405);
    expect(await service.kill("SIGTERM")).toBe(0);
    expect(service.lines.all.at(-1)).toMatchObject({ event: "ended" });
    expect(service.faults).toBe("");
  });

  test("processes its environment's queue with its role's permissions", async () => {
    const services = ["production", "development"].map((environment) =>
      startServiceProcess(database, {
        ENVIRONMENT: environment,
        DATABASE_URL: database.urlOf("service", environment === "production" ? "production" : "development"),
      }),
    );
    for (const service of services) await service.healthUrl();
    for (const service of services) expect(await service.kill("SIGINT")).toBe(0);
    for (const { lines } of services) expect(lines.all.filter(({ level }) => level !== "info")).toEqual([]);
  });

  test("exits with the missing variables", async () => {
    const service = startServiceProcess(database, { SMTP_URL: undefined, INVALIDATE_TOKEN: "" });
    expect(await service.ended).toBe(1);
    expect(service.faults).toMatch(/^SMTP_URL: it is not set\. .*\nINVALIDATE_TOKEN: it is not set\. /);
  });

  test("exits with one sentence when the queue, database, engine or port is not available", async () => {
    const taken = createServer();
    await listen(taken, { port: 0 });
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    await database.pool.query("create role tenantry_service_staging login password 'of-a-test'");
    const causeOf = async (service: ServiceProcess) => {
      expect(await service.ended).toBe(1);
      return (await service.lines.find(({ event }) => event === "not_started")).cause;
    };
    const uninstalled = startServiceProcess(database, {
      ENVIRONMENT: "staging",
      DATABASE_URL: database.urlOf("service", "staging"),
    });
    expect(await causeOf(uninstalled)).toMatch(
      /^Failed to open the queue in the schema graphile_worker_staging: .*permission denied.* `pulumi up`/,
    );
    const away = new URL(database.urlOf("service"));
    away.port = "9";
    expect(await causeOf(startServiceProcess(database, { DATABASE_URL: away.href }))).toMatch(
      /ECONNREFUSED.*DATABASE_URL/,
    );
    const deploys = {
      PLATFORM_STACK: "whole",
      PROVISIONING_API_TOKEN: "of-a-test",
      PULUMI_BACKEND_URL: "file:///nowhere",
      PULUMI_CONFIG_PASSPHRASE: "of-a-test",
    };
    expect(await causeOf(startServiceProcess(database, { ...deploys, PATH: "/nowhere" }))).toMatch(
      /Failed to run the engine.*ENOENT.*PLATFORM_STACK/,
    );
    expect(await causeOf(startServiceProcess(database, { HEALTH_PORT: port }))).toMatch(/EADDRINUSE.*HEALTH_PORT/);
    await new Promise((resolve) => taken.close(resolve));
  });
});
