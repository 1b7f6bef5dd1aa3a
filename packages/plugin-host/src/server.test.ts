import { once } from "node:events";
import { connect } from "node:net";
import { credentials } from "@grpc/grpc-js";
import grpcProto from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import type * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import statusProto from "@pulumi/pulumi/proto/status_pb.js";
import { createGate } from "@tenantry/test-kit/gate";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { PartialError } from "./errors.ts";
import { fromStruct, toStruct } from "./properties.ts";
import { provider } from "./provider.ts";
import { resource } from "./resource.ts";
import { type ProviderServer, startServer } from "./server.ts";

interface Clients {
  region: string;
  log: string[];
}

/** @param opened lets creates end */
function testProvider(log: string[], opened: Promise<void> = Promise.resolve(), keepsCreated = true) {
  const thing = resource<Clients, { name: string }, { region: string }>({
    type: "test:index:Thing",
    inputs: z.object({ name: z.string() }),
    removes: "The thing.",
    keepsCreated,
    identity: ({ name }) => name,
    async create(clients, { name }) {
      clients.log.push(`${name} starts`);
      await opened;
      clients.log.push(`${name} ends`);
      if (name === "half") throw new PartialError("half-id", { region: clients.region }, "Half of it is there.");
      if (name === "broken") throw new Error("It broke.\n    at a line of code");
      return { id: `${name}-id`, outputs: { region: clients.region } };
    },
    read: async () => undefined,
    delete: async (clients, id) => {
      clients.log.push(`${id} deleted`);
    },
  });
  return provider({
    name: "test",
    version: "1.0.0",
    config: z.object({ region: z.string().default("nowhere") }),
    connect: ({ region }) => ({ region, log }),
    resources: [thing],
    wording: () => undefined,
  });
}

const open: { server?: ProviderServer; clients: { close(): void }[] } = { clients: [] };

function client(port: number) {
  // A connection of its own, like each provider instance of the engine.
  const made = new grpcProto.ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
    "grpc.use_local_subchannel_pool": 1,
  });
  open.clients.push(made);
  return made;
}

type Client = ReturnType<typeof client>;

const urnOf = (name: string) => `urn:pulumi:stack::project::test:index:Thing::${name}`;

function create(
  to: Client,
  name: string,
  type = "test:index:Thing",
  { preview = false } = {},
): Promise<pb.CreateResponse> {
  const request = new proto.CreateRequest();
  request.setUrn(urnOf(name));
  request.setType(type);
  request.setPreview(preview);
  request.setProperties(toStruct({ name }));
  return new Promise((resolve, reject) => {
    to.create(request, (error: Error | null, response: pb.CreateResponse) =>
      error ? reject(error) : resolve(response),
    );
  });
}

/** Previews an update that renames a thing. */
function rename(to: Client, name: string, now: string): Promise<void> {
  const request = new proto.UpdateRequest();
  request.setUrn(urnOf(name));
  request.setType("test:index:Thing");
  request.setPreview(true);
  request.setOldInputs(toStruct({ name }));
  request.setNews(toStruct({ name: now }));
  return new Promise((resolve, reject) => {
    to.update(request, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

function remove(from: Client, name: string): Promise<void> {
  const request = new proto.DeleteRequest();
  request.setType("test:index:Thing");
  request.setId(`${name}-id`);
  request.setOldInputs(toStruct({ name }));
  return new Promise((resolve, reject) => {
    from.delete(request, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

function configure(to: Client, region: unknown): Promise<void> {
  const request = new proto.ConfigureRequest();
  request.setArgs(toStruct({ region, version: "1.0.0" }));
  return new Promise((resolve, reject) => {
    to.configure(request, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

function steps(of: Client): Promise<unknown> {
  const request = new proto.InvokeRequest();
  request.setTok("test:index:steps");
  return new Promise((resolve, reject) => {
    of.invoke(request, (error: Error | null, response: pb.InvokeResponse) =>
      error ? reject(error) : resolve(fromStruct(response.getReturn()).steps),
    );
  });
}

afterEach(async () => {
  for (const made of open.clients.splice(0)) made.close();
  await open.server?.stop();
});

describe("a provider server", () => {
  test("distinguishes provider instances by their connection", async () => {
    open.server = await startServer([testProvider([])]);
    const [east, west] = [client(open.server.port), client(open.server.port)];
    await configure(east, "east");
    await configure(west, "west");
    const regions = await Promise.all([create(east, "a"), create(west, "b"), create(east, "c")]);
    expect(regions.map((response) => fromStruct(response.getProperties()).region)).toEqual(["east", "west", "east"]);
  });

  test("runs creates of one name one after another, also from two connections", async () => {
    const log: string[] = [];
    const slow = createGate();
    open.server = await startServer([testProvider(log, slow.opened)]);
    const [one, two] = [client(open.server.port), client(open.server.port)];
    const running = [create(one, "same"), create(two, "same")];
    await expect.poll(() => log).toEqual(["same starts"]);
    const other = create(two, "other");
    await expect.poll(() => log).toEqual(["same starts", "other starts"]);
    slow.open();
    await Promise.all([...running, other]);
    expect(log.filter((line) => line.startsWith("same"))).toEqual([
      "same starts",
      "same ends",
      "same starts",
      "same ends",
    ]);
  });

  test("skips the delete of a resource that the same run adopted", async () => {
    const log: string[] = [];
    open.server = await startServer([testProvider(log)]);
    const [run, next] = [client(open.server.port), client(open.server.port)];
    await configure(run, "east");
    await configure(next, "east");
    await create(run, "a");
    await remove(run, "a");
    await remove(run, "b");
    await remove(next, "a");
    expect(log.filter((line) => line.endsWith("deleted"))).toEqual(["b-id deleted", "a-id deleted"]);
  });

  test("deletes a resource that the same run created when the type sets `keepsCreated: false`", async () => {
    const log: string[] = [];
    open.server = await startServer([testProvider(log, undefined, false)]);
    const run = client(open.server.port);
    await configure(run, "east");
    await create(run, "a");
    await remove(run, "a");
    expect(log).toContain("a-id deleted");
  });

  test("returns the steps of a run and its previews, without values or those of other runs", async () => {
    open.server = await startServer([testProvider([])]);
    const [run, next] = [client(open.server.port), client(open.server.port)];
    await configure(run, "east");
    await configure(next, "east");
    await create(run, "made", undefined, { preview: true });
    await create(run, "too");
    await rename(run, "old", "hidden");
    expect(await steps(run)).toEqual([
      { urn: urnOf("made"), operation: "create", paths: [] },
      { urn: urnOf("too"), operation: "create", paths: [] },
      { urn: urnOf("old"), operation: "update", paths: ["name"] },
    ]);
    expect(await steps(next)).toEqual([]);
    await configure(run, "east");
    expect(await steps(run)).toEqual([]);
  });

  test("rejects an unchecked configuration with its faults", async () => {
    open.server = await startServer([testProvider([])]);
    const to = client(open.server.port);
    await configure(to, 5);
    await expect(create(to, "a")).rejects.toMatchObject({
      details:
        "The configuration of the provider 'test' is invalid: region: Invalid input: expected string, received number",
    });
  });

  test("reports the first line of an error, and names a type that is not served", async () => {
    open.server = await startServer([testProvider([])]);
    const to = client(open.server.port);
    await expect(create(to, "broken")).rejects.toMatchObject({ details: "It broke." });
    await expect(create(to, "x", "test:index:Other")).rejects.toMatchObject({
      details: "The provider 'test' that runs here does not serve 'test:index:Other'.",
    });
    await expect(create(to, "x", "aws:s3:Bucket")).rejects.toMatchObject({
      details: "No provider that runs here serves 'aws:s3:Bucket'.",
    });
  });

  test("sends the id of an incomplete resource, so that the state keeps it", async () => {
    open.server = await startServer([testProvider([])]);
    const error = await create(client(open.server.port), "half").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ details: "Half of it is there." });
    const [bytes] = (error as { metadata: { get(key: string): Buffer[] } }).metadata.get("grpc-status-details-bin");
    const [detail] = statusProto.Status.deserializeBinary(bytes ?? Buffer.alloc(0)).getDetailsList();
    const failed = proto.ErrorResourceInitFailed.deserializeBinary(detail?.getValue_asU8() ?? new Uint8Array());
    expect(failed.getId()).toBe("half-id");
    expect(fromStruct(failed.getProperties())).toEqual({ name: "half", region: "nowhere" });
  });

  test("stops while a silent connection is open", async () => {
    const server = await startServer([testProvider([])]);
    const silent = connect(server.port, "127.0.0.1").on("error", () => {});
    await once(silent, "connect");
    await server.stop();
    silent.destroy();
  }, 3_000);

  test("waits for calls in progress before it stops", async () => {
    const log: string[] = [];
    const slow = createGate();
    const server = await startServer([testProvider(log, slow.opened)]);
    const running = create(client(server.port), "slow");
    await expect.poll(() => log).toEqual(["slow starts"]);
    const stopped = server.stop().then(() => log.push("stopped"));
    slow.open();
    expect((await running).getId()).toBe("slow-id");
    await stopped;
    expect(log).toEqual(["slow starts", "slow ends", "stopped"]);
  });
});
