/** Containers of an engine behind the weather, called as workerd calls it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { ContainerEngine } from "../containers/engine.ts";
import { EngineClient } from "../containers/testing/engine-client.ts";
import { acme, ID, probed, useEngine } from "../containers/testing/test-engine.ts";
import { testImage } from "../containers/testing/test-image.ts";
import { startContainerWeather } from "./container-weather.ts";
import type { FaultName } from "./faults.ts";
import { createWeather } from "./weather.ts";

const context = useEngine();
let behind: ContainerEngine | undefined;
afterEach(() => behind?.stop());

/** Starts an engine whose starts all have `fault`. @param pace divides the times of production */
async function always(fault: FaultName, pace: number, onTerminate = "exit 0") {
  await context.start({ image: { ...testImage(), onTerminate } });
  const logged: unknown[] = [];
  const log = (_area: string, event: string, fields = {}) => logged.push({ ...fields, event });
  const weather = createWeather({ seed: 1, rates: { [fault]: 1 }, pace }, log);
  behind = await startContainerWeather(context.engine, weather, { directory: context.directory, log });
  return { client: new EngineClient(behind.address), name: context.nameOf(acme), logged, weather };
}

test("refuses a start with the vendor's message when there is no capacity, and starts the container later", async () => {
  const { client, name, weather } = await always("container_no_capacity", 1);
  for (const container of [`${name}-proxy`, name])
    await client.call("POST", `/containers/create?name=${container}`, { Image: "test" });
  expect(await client.call("POST", `/containers/${name}/start`)).toEqual({
    status: 500,
    body: { message: expect.stringContaining("no container instance that can be provided to this Durable Object") },
  });
  expect(await context.status(name)).toBe("exited");
  weather.pause();
  expect((await client.call("POST", `/containers/${name}/start`)).status).toBe(204);
});

test("delays a start, and passes commands with input and output", async () => {
  const { client, name } = await always("container_slow_start", 50);
  const began = performance.now();
  await client.start(name);
  expect(performance.now() - began).toBeGreaterThan(10);
  expect(await client.exec(name, ["cat"], { input: Buffer.from("text") })).toEqual({
    code: 0,
    stdout: "text",
    stderr: "",
  });
});

test.runIf(probed.kind === "namespaces")(
  "sends SIGTERM to a container and kills it after the grace period",
  async () => {
    const { client, name, logged } = await always(
      "container_evicted",
      3000,
      "sh -c 'touch /workspace/ending; sleep 1000'",
    );
    await client.start(name);
    expect(await context.status(name)).toBe("running");
    const ending = join(context.diskOf(acme), "workspace/ending");
    await expect.poll(() => existsSync(ending)).toBe(true);
    await expect.poll(() => context.status(name)).toBe("exited");
    expect(logged).toMatchObject([
      { event: "injected", subject: "start tenant-acme" },
      { event: "evicting", script: "tenant-acme", signal: "SIGTERM" },
      { event: "evicting", script: "tenant-acme", signal: "SIGKILL" },
    ]);
    expect(name).toContain(ID);
  },
);

test("does not kill a container that was started again within the grace period", async () => {
  const { client, name, logged, weather } = await always("container_evicted", 1000);
  await client.start(name);
  weather.pause();
  await client.call("POST", `/containers/${name}/kill?signal=SIGKILL`);
  await client.call("POST", `/containers/${name}/start`);
  await weather.delay(26 * 60_000);
  expect(await context.status(name)).toBe("running");
  expect(logged.map((line) => (line as { event: string }).event)).not.toContain("evicting");
});
