import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import { getEngine, resetOptions } from "@pulumi/pulumi/runtime/settings.js";
import { afterAll, expect, test } from "vitest";
import "./own-connections.ts";

// Restore the SDK for other tests of this process.
afterAll(() => resetOptions("", "", -1, "", "", false, ""));

/** @param port 0 for any that is free */
async function startEngine(port: number): Promise<{ port: number; stop: () => void }> {
  const server = new grpc.Server();
  server.addService(EngineService as unknown as grpc.ServiceDefinition, {
    log: (_: unknown, answer: (error: Error | null) => void) => answer(new Error("received")),
  });
  const bound = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`127.0.0.1:${port}`, grpc.ServerCredentials.createInsecure(), (error, at) =>
      error === null ? resolve(at) : reject(error),
    ),
  );
  return { port: bound, stop: () => server.forceShutdown() };
}

/** Connects to an engine. `log` returns the error of its reply. */
function connect(port: number): { log: () => Promise<string> } {
  resetOptions("project", "one", 1, `127.0.0.1:${port}`, "", false, "");
  const engine = getEngine();
  const request = new LogRequest();
  request.setSeverity(LogSeverity.INFO);
  return {
    log: () => new Promise((resolve) => engine?.log(request, (error: Error | null) => resolve(error?.message ?? ""))),
  };
}

test("connects to an engine at a port where a previous connection failed", async () => {
  const first = await startEngine(0);
  const before = connect(first.port);
  expect(await before.log()).toContain("received");
  first.stop();
  await expect.poll(() => before.log()).toContain("ECONNREFUSED");
  const second = await startEngine(first.port);
  expect(await connect(first.port).log()).toContain("received");
  second.stop();
});
