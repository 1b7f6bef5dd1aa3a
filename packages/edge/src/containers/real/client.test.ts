import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { expect, onTestFinished, test } from "vitest";
import { RealEngineClient } from "./client.ts";

test("waits for a slow engine unless the call has a limit", async () => {
  const directory = mkdtempSync(join(tmpdir(), "engine-client-"));
  const { globalAgent } = http;
  // As Node's own, which has 5 seconds.
  http.globalAgent = new http.Agent({ keepAlive: true, timeout: 20 });
  const server = http.createServer((_, response) => setTimeout(() => response.end("done"), 200));
  const socket = join(directory, "engine.sock");
  await listen(server, { path: socket });
  onTestFinished(async () => {
    http.globalAgent = globalAgent;
    await closeAndCut(server);
    rmSync(directory, { recursive: true });
  });
  const client = new RealEngineClient(socket);
  expect(await client.call("GET", "/slow")).toEqual({ status: 200, text: "done" });
  await expect(client.call("GET", "/slow", { timeoutMs: 50 })).rejects.toThrow("no response within 50 ms");
});
