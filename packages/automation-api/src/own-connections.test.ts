import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import { getEngine, resetOptions } from "@pulumi/pulumi/runtime/settings.js";
import { afterAll, expect, test } from "vitest";
import "@tenantry/automation-api/own-connections";

// Whatever runs in this process next finds the SDK as it was.
afterAll(() => resetOptions("", "", -1, "", "", false, ""));

/** @param port 0 for any that is free */
async function startEngine(port: number): Promise<{ port: number; stop: () => void }> {
  const server = new grpc.Server();
  server.addService(EngineService as unknown as grpc.ServiceDefinition, {
    log: (_: unknown, answer: (error: Error | null) => void) => answer(new Error("heard")),
  });
  const bound = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`127.0.0.1:${port}`, grpc.ServerCredentials.createInsecure(), (error, at) =>
      error === null ? resolve(at) : reject(error),
    ),
  );
  return { port: bound, stop: () => server.forceShutdown() };
}

/** What an engine says to a program that connects to it anew. */
function asked(port: number): { told: () => Promise<string> } {
  resetOptions("tenantry", "one", 1, `127.0.0.1:${port}`, "", false, "");
  const engine = getEngine();
  const request = new LogRequest();
  request.setSeverity(LogSeverity.INFO);
  return {
    told: () => new Promise((resolve) => engine?.log(request, (error: Error | null) => resolve(error?.message ?? ""))),
  };
}

test("a program reaches its engine at a port where it tried in vain to reach another before", async () => {
  const first = await startEngine(0);
  const before = asked(first.port);
  expect(await before.told()).toContain("heard");
  first.stop();
  await expect.poll(() => before.told()).toContain("ECONNREFUSED");
  const second = await startEngine(first.port);
  expect(await asked(first.port).told()).toContain("heard");
  second.stop();
});
