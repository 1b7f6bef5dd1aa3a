import { createServer } from "node:http";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { expect, onTestFinished, test } from "vitest";
import { ContainerPorts } from "./ports.ts";

test("keeps the port of a container until another program uses it", async () => {
  const ports = new ContainerPorts();
  expect(ports.get("acme")).toBeUndefined();
  const port = await ports.choose("acme");
  expect(await ports.choose("acme")).toBe(port);
  const other = createServer();
  onTestFinished(() => closeAndCut(other));
  await listen(other, { host: "127.0.0.1", port });
  const next = await ports.choose("acme");
  expect(next).not.toBe(port);
  expect(next).toBeLessThan(32_768);
  expect(ports.get("acme")).toBe(next);
});

test("gives each container its own port", async () => {
  const ports = new ContainerPorts();
  const names = Array.from({ length: 50 }, (_, number) => `tenant-${number}`);
  expect(new Set(await Promise.all(names.map((name) => ports.choose(name)))).size).toBe(50);
});
