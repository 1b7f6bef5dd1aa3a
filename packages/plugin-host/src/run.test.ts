import { credentials, Server, ServerCredentials, type sendUnaryData } from "@grpc/grpc-js";
import engineGrpc from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import grpcProto from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { createGate } from "@tenantry/test-kit/gate";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { toStruct } from "./properties.ts";
import { provider } from "./provider.ts";
import { resource } from "./resource.ts";
import { type ProviderServer, startServer } from "./server.ts";

const URN = "urn:pulumi:test::test::test:index:Thing::thing";

/** A delete waits until its run is cancelled, if `patient`. */
const thing = resource<undefined, { patient: boolean }, object>({
  type: "test:index:Thing",
  inputs: z.object({ patient: z.boolean() }),
  removes: "The thing.",
  identity: () => "thing",
  create: async () => ({ id: "thing", outputs: {} }),
  read: async () => undefined,
  async delete(_, _id, { inputs }, run) {
    await run.status("Working…");
    const { opened, open } = createGate();
    run.cancelled.addEventListener("abort", open);
    if (inputs.patient) await opened;
    await run.warn(run.cancelled.aborted ? "Cancelled." : "Not quite.");
  },
});

let engine: Server;
let engineAddress: string;
let lines: LogRequest.AsObject[];
let server: ProviderServer;
let client: InstanceType<typeof grpcProto.ResourceProviderClient>;

beforeEach(async () => {
  lines = [];
  engine = new Server();
  engine.addService(engineGrpc.EngineService, {
    log({ request }: { request: LogRequest }, answer: sendUnaryData<object>) {
      lines.push(request.toObject());
      answer(null, new emptyProto.Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  engineAddress = `127.0.0.1:${port}`;
  server = await startServer([
    provider({
      name: "test",
      version: "1.0.0",
      config: z.object({}),
      connect: () => undefined,
      resources: [thing],
      wording: () => undefined,
    }),
  ]);
  client = new grpcProto.ResourceProviderClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
});
afterEach(async () => {
  client.close();
  await server.stop();
  engine.forceShutdown();
});

type Done = (error: Error | null) => void;
const done = (call: (callback: Done) => void) =>
  new Promise<void>((resolve, reject) => call((error) => (error === null ? resolve() : reject(error))));

async function connect(address?: string): Promise<void> {
  const handshake = new proto.ProviderHandshakeRequest();
  if (address !== undefined) handshake.setEngineAddress(address);
  await done((callback) => client.handshake(handshake, callback));
  await done((callback) => client.configure(new proto.ConfigureRequest(), callback));
}

function remove(patient: boolean): Promise<void> {
  const request = new proto.DeleteRequest();
  request.setType("test:index:Thing");
  request.setId("thing");
  request.setUrn(URN);
  request.setOldInputs(toStruct({ patient }));
  return done((callback) => client.delete(request, callback));
}

test("sends an operation's messages to the engine with the URN of the resource", async () => {
  await connect(engineAddress);
  await remove(false);
  expect(lines).toMatchObject([
    { severity: 1, message: "Working…", urn: URN, ephemeral: true },
    { severity: 2, message: "Not quite.", urn: URN, ephemeral: false },
  ]);
});

test("runs an operation when no engine receives its messages", async () => {
  await connect();
  await remove(false);
  await connect("127.0.0.1:9");
  await remove(false);
  expect(lines).toEqual([]);
});

test("aborts a waiting operation when the run is cancelled, but not the next run of the connection", async () => {
  await connect(engineAddress);
  const waiting = remove(true);
  await expect.poll(() => lines.length).toBe(1);
  await done((callback) => client.cancel(new emptyProto.Empty(), callback));
  await waiting;
  expect(lines.at(-1)?.message).toBe("Cancelled.");
  await connect(engineAddress);
  await remove(false);
  expect(lines.at(-1)?.message).toBe("Not quite.");
});
