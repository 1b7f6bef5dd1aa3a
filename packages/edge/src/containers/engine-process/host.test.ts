import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { NO_APPLICATION_MESSAGE, NO_INSTANCE_MESSAGE } from "../deployments.ts";
import { findProcesses } from "../isolation/processes.ts";
import { DEPLOYED } from "../names.ts";
import { EngineClient } from "../testing/engine-client.ts";
import { objectId } from "../testing/object-id.ts";
import { testImage } from "../testing/test-image.ts";
import { EngineHost } from "./host.ts";

const SCRIPT = { namespace: "tenants", name: "tenant-acme" };

/** Starts a process with an engine and a running container. */
async function openContainer(host: EngineHost, pushed?: string[]) {
  const directory = mkdtempSync(join(tmpdir(), "engine-host-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const engine = await host.open({ directory, image: testImage(), pushed, log: () => {} });
  const key = engine.uniqueKey(SCRIPT, "Sandbox");
  const name = `workerd-${key}-${objectId(key, "gateway")}`;
  const client = new EngineClient(engine.address);
  await client.start(name);
  return { engine, client, name };
}

test("tracks running containers per engine, and stops engines one by one", async () => {
  const host = new EngineHost();
  onTestFinished(() => host.stop());
  const [one, other] = await Promise.all([openContainer(host), openContainer(host)]);
  expect((await one.client.sh(one.name, "echo there")).stdout).toBe("there\n");
  await expect.poll(() => [one, other].map(({ engine }) => engine.isAwake(SCRIPT))).toEqual([true, true]);
  await one.engine.end(SCRIPT);
  expect([one, other].map(({ engine }) => engine.isAwake(SCRIPT))).toEqual([false, true]);
  await one.engine.stop();
  await one.engine.stop();
  expect((await other.client.sh(other.name, "echo there")).stdout).toBe("there\n");
});

test("starts containers with what is deployed, and refuses images that cannot be pulled", async () => {
  const host = new EngineHost();
  onTestFinished(() => host.stop());
  const { engine, client, name } = await openContainer(host, ["box:2"]);
  expect(engine.instances(SCRIPT, "Sandbox")).toMatchObject([{ name, version: 0 }]);
  let changes = 0;
  engine.onChange(() => {
    changes += 1;
  });
  await engine.stopContainer(name, "terminate");
  await expect.poll(() => engine.instances(SCRIPT, "Sandbox")).toEqual([]);
  await engine.stopContainer(name, "remove");
  engine.deploy(SCRIPT, "Sandbox", { image: "box:2", version: 2 });
  await client.call("DELETE", `/containers/${name}-proxy`);
  await client.start(name, DEPLOYED);
  await expect.poll(() => engine.instances(SCRIPT, "Sandbox")).toMatchObject([{ name, version: 2 }]);
  expect(changes).toBe(2);
  for (const [deployment, message] of [
    [{ image: "box:3", version: 3 }, NO_INSTANCE_MESSAGE],
    [undefined, NO_APPLICATION_MESSAGE],
  ] as const) {
    engine.deploy(SCRIPT, "Sandbox", deployment);
    // Orders keep their order; a request on the socket can pass them. The reply shows that the process has the deployment.
    await engine.stopContainer(name, "remove");
    await client.call("POST", `/containers/create?name=${name}`, { Image: DEPLOYED });
    await client.call("POST", `/containers/${name}/start`);
    expect(await client.call("POST", `/containers/${name}/wait`)).toEqual({ status: 500, body: { message } });
    expect((await client.call("GET", `/containers/${name}/json`)).status).toBe(404);
  }
});

test("ends its containers when it is killed, and reports it once", async () => {
  const lost = Promise.withResolvers<Error>();
  let times = 0;
  const host = new EngineHost((error) => {
    times += 1;
    lost.resolve(error);
  });
  onTestFinished(() => host.stop());
  const { engine, client, name } = await openContainer(host);
  void client.sh(name, "sleep 1000").catch(() => {});
  await expect.poll(() => findProcesses(engine.marker).length).toBeGreaterThan(0);
  process.kill(host.pid, "SIGKILL");
  expect((await lost.promise).message).toBe(
    "The process that runs the containers has ended. Restart the edge. Reason: SIGKILL.",
  );
  await expect.poll(() => findProcesses(engine.marker), { timeout: 20_000 }).toEqual([]);
  expect(engine.isAwake(SCRIPT)).toBe(false);
  await expect(engine.end(SCRIPT)).rejects.toThrow("has ended");
  await expect(openContainer(host)).rejects.toThrow("has ended");
  await engine.stop();
  await host.stop();
  expect(times).toBe(1);
});

test("stops an engine whose process was just killed", async () => {
  const host = new EngineHost();
  onTestFinished(() => host.stop());
  const { engine } = await openContainer(host);
  process.kill(host.pid, "SIGKILL");
  await engine.stop();
});
