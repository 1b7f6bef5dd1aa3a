import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServer, account_id, ManualClock, startApiServer } from "@tenantry/edge/testing/api";
import { changed, type TestStack } from "@tenantry/plugin-host/testing/test-stack";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ContainerApplication } from "#components/resources/container-application.ts";
import { NamespacedScript } from "#components/resources/namespaced-script.ts";
import { apiStack } from "../testing/api-stack.ts";

const namespace = "tenants";
const TOKEN = "a-token-that-stays-one";

let directory: string;
let api: ApiServer;
/** Called before the response to a read of an application. */
let afterRead = async () => {};
const clock = new ManualClock();
/** A rollout without instances. */
const ROLLOUT_MS = 10_000;
let stack: TestStack;
let dispatch: Server;
/** Each backup request, with its token and the images at that time. */
let orders: string[];
let status: number;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "tenantry-backup-"));
  await writeFile(join(directory, "index.js"), "export class Sandbox {} export default {};");
  api = await startApiServer(
    async ({ method, url }) => {
      if (method === "GET" && /applications\/[^/]+$/.test(url)) await afterRead();
      return undefined;
    },
    { clock },
  );
  await api.cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: namespace });
  dispatch = createServer((request, response) => {
    const running = applications().map(({ configuration }) => configuration.image);
    orders.push([request.method, request.url, request.headers.authorization, ...running].join(" "));
    response.writeHead(status, { "content-type": "application/json" });
    response.end(status === 409 ? JSON.stringify({ error: { code: "conflict", message: "It may not be." } }) : "{}");
  }).listen(0, "127.0.0.1");
  await once(dispatch, "listening");
  stack = await apiStack(api);
}, 120_000);

beforeEach(() => {
  orders = [];
  status = 200;
});

afterAll(async () => {
  await stack?.dispose();
  dispatch?.close();
  await api?.close();
  await rm(directory, { recursive: true, force: true });
});

const applications = () => api.store.list("container_application");

interface Wanted {
  image: string;
  maxInstances?: number;
  token?: string;
  beforeDelete?: boolean;
}

function program({ image, maxInstances = 2, token = TOKEN, beforeDelete = true }: Wanted) {
  const { port } = dispatch.address() as AddressInfo;
  return async () => {
    const script = new NamespacedScript("acme", {
      accountId: account_id,
      namespace,
      scriptName: "tenant-acme",
      path: directory,
      compatibilityDate: "2026-11-01",
      bindings: { Sandbox: { type: "durable_object_namespace", className: "Sandbox" } },
      migrations: { newTag: "v1", newSqliteClasses: ["Sandbox"] },
      containers: [{ className: "Sandbox" }],
    });
    new ContainerApplication("acme", {
      accountId: account_id,
      name: "tenant-acme",
      dispatchNamespace: namespace,
      scriptName: script.scriptName,
      className: "Sandbox",
      image,
      maxInstances,
      backup: { url: `http://127.0.0.1:${port}/_backup/acme`, token, beforeDelete },
    });
  };
}

const up = async (wanted: Wanted) => {
  stack.program(program(wanted));
  return changed(await stack.stack.up());
};
const order = (image: string, token = TOKEN) => `POST /_backup/acme Bearer ${token} ${image}`;
const images = () => applications().map(({ configuration }) => configuration.image);

// The life of one stack: each test continues after the previous one.
describe("the state of containers is backed up", () => {
  test("not when they are created, nor when their number or the backup order changes", async () => {
    expect(await up({ image: "gateway:1" })).toEqual({ create: 3 });
    expect(await up({ image: "gateway:1", maxInstances: 3 })).toEqual({ same: 2, update: 1 });
    expect(await up({ image: "gateway:1", maxInstances: 3, token: `${TOKEN}-2` })).toEqual({ same: 3 });
    expect(orders).toEqual([]);
    expect(await stack.state()).not.toContain(TOKEN);
  }, 120_000);

  test("before another image replaces them, by the token of that run", async () => {
    expect(await up({ image: "gateway:2", token: `${TOKEN}-3` })).toEqual({ same: 2, update: 1 });
    expect(orders).toEqual([order("gateway:1", `${TOKEN}-3`)]);
    expect(images()).toEqual(["gateway:1"]);
  }, 120_000);

  test("while a rollout is in progress, its target counts, and is not rolled out again", async () => {
    expect(changed(await stack.stack.refresh())).toEqual({ same: 3 });
    expect(await up({ image: "gateway:2", token: `${TOKEN}-3` })).toEqual({ same: 3 });
    const { version, deployment } = await stack.stack.exportStack();
    await stack.stack.importStack({ version, deployment: { ...deployment, resources: [] } });
    expect(await up({ image: "gateway:2" })).toEqual({ create: 3 });
    expect(orders).toEqual([]);
    expect(applications().map(({ rollouts }) => rollouts)).toMatchObject([[{ status: "progressing" }]]);
    afterRead = () => clock.pass(ROLLOUT_MS);
    expect(changed(await stack.stack.refresh())).toEqual({ same: 3 });
    afterRead = async () => {};
    expect(images()).toEqual(["gateway:2"]);
  }, 120_000);

  test("and they are not replaced if that fails", async () => {
    status = 409;
    await expect(up({ image: "gateway:3" })).rejects.toThrow(
      "could not be backed up, so its container was not replaced: It may not be. Fix the cause and run again",
    );
    expect(images()).toEqual(["gateway:2"]);
  }, 120_000);

  test("when a lost state finds them again with another image", async () => {
    const { version, deployment } = await stack.stack.exportStack();
    await stack.stack.importStack({ version, deployment: { ...deployment, resources: [] } });
    expect(await up({ image: "gateway:3" })).toEqual({ create: 3 });
    expect(orders).toEqual([order("gateway:2")]);
    await clock.pass(ROLLOUT_MS);
    expect(images()).toEqual(["gateway:3"]);
  }, 120_000);

  test("before they are deleted, by the state after a refresh, if that is enabled", async () => {
    await stack.stack.refresh();
    expect(await stack.state()).not.toContain(TOKEN);
    await stack.stack.destroy();
    expect(orders).toEqual([order("gateway:3")]);
    expect(images()).toEqual([]);

    orders = [];
    await up({ image: "gateway:3", beforeDelete: false });
    await stack.stack.destroy();
    expect(orders).toEqual([]);
    expect(images()).toEqual([]);
  }, 120_000);
});
