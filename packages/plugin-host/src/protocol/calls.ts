import type * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { KeyedLock } from "@tenantry/std/keyed-lock";
import { explain, PartialError } from "../errors.ts";
import { fromStruct, type Properties, toStruct } from "../properties.ts";
import type { BoundResource, ProcessVariables, Provider } from "../provider.ts";
import { type Run, runFor } from "../run.ts";
import { Peers } from "./peers.ts";
import { partialStatus, StatusError } from "./status.ts";

/** The engine's calls on resources. */
export class Calls {
  readonly providers: readonly Provider[];
  readonly peers: Peers;
  readonly #creates = new KeyedLock();
  #running = 0;
  #idle: (() => void)[] = [];

  constructor(providers: readonly Provider[], variables: ProcessVariables) {
    this.providers = providers;
    this.peers = new Peers(providers, variables);
  }

  get version(): string {
    return this.providers[0]?.version ?? "0.0.0";
  }

  /** Resolves when no call is in progress. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Runs a call of `peer` on `token`. @throws StatusError when it fails */
  async run<T>(task: () => T | Promise<T>, token: string, peer: string): Promise<T> {
    this.#running++;
    try {
      return await task();
    } catch (error) {
      if (error instanceof StatusError) throw error;
      const { message, detail } = explain(error, this.peers.find(token)?.wording);
      if (detail !== undefined) await this.#run("", peer).debug(detail);
      throw new StatusError(message);
    } finally {
      this.#running--;
      if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  resource(peer: string, type: string): BoundResource {
    return this.peers.session(peer, type).resource(type);
  }

  #run(urn: string, peer: string): Run {
    return runFor(this.peers.engine(peer), urn, this.peers.get(peer).cancellation.signal);
  }

  async create(request: pb.CreateRequest, peer: string): Promise<pb.CreateResponse> {
    const resource = this.resource(peer, request.getType());
    const inputs = fromStruct(request.getProperties());
    this.peers.get(peer).steps.set(request.getUrn(), { operation: "create", paths: [] });
    const response = new proto.CreateResponse();
    if (request.getPreview()) {
      // The SDK marks missing outputs as unknown.
      response.setProperties(toStruct(inputs));
      return response;
    }
    const created = await this.#creates
      .run(resource.lockKey(inputs), () => resource.create(inputs, this.#run(request.getUrn(), peer)))
      .catch((error: unknown) => {
        if (!(error instanceof PartialError)) throw error;
        const state = toStruct({ ...inputs, ...error.outputs }, resource.secretOutputs);
        throw partialStatus(error.id, state, toStruct(inputs, resource.secretOutputs), error.message);
      });
    this.peers.get(peer).created.add(`${resource.lockKey(inputs)} ${created.id}`);
    response.setId(created.id);
    response.setProperties(toStruct(created.state, resource.secretOutputs));
    return response;
  }

  async read(request: pb.ReadRequest, peer: string): Promise<pb.ReadResponse> {
    const resource = this.resource(peer, request.getType());
    const [state, inputs] = [fromStruct(request.getProperties()), fromStruct(request.getInputs())];
    const found = await resource.read(request.getId(), state, inputs);
    const response = new proto.ReadResponse();
    if (found === undefined) return response;
    response.setId(found.id);
    response.setInputs(toStruct(found.inputs, resource.secretOutputs));
    response.setProperties(toStruct(found.state, resource.secretOutputs));
    return response;
  }

  async update(request: pb.UpdateRequest, peer: string): Promise<pb.UpdateResponse> {
    const resource = this.resource(peer, request.getType());
    const [state, inputs] = [fromStruct(request.getOlds()), fromStruct(request.getOldInputs())];
    const now = fromStruct(request.getNews());
    const paths = resource.diff(inputs, now).changes.map(({ path }) => path);
    this.peers.get(peer).steps.set(request.getUrn(), { operation: "update", paths });
    const next: Properties = request.getPreview()
      ? resource.previewUpdate(state, inputs, now)
      : await resource.update(request.getId(), now, state, inputs, this.#run(request.getUrn(), peer));
    const response = new proto.UpdateResponse();
    response.setProperties(toStruct(next, resource.secretOutputs));
    return response;
  }

  /** Skips a resource that this run adopted under another URN or for a requested replacement: old and new are the same. */
  async delete(request: pb.DeleteRequest, peer: string): Promise<void> {
    const resource = this.resource(peer, request.getType());
    const [state, inputs] = [fromStruct(request.getProperties()), fromStruct(request.getOldInputs())];
    if (resource.keepsCreated && this.peers.get(peer).created.has(`${resource.lockKey(inputs)} ${request.getId()}`))
      return;
    await resource.delete(request.getId(), state, inputs, this.#run(request.getUrn(), peer));
  }

  /** Each provider has `{name}:index:steps`, which returns the steps of the resources registered so far, without values. */
  async invoke(token: string, args: Properties, peer: string): Promise<Properties> {
    if (!token.endsWith(":index:steps")) return this.peers.session(peer, token).invoke(token, args);
    return { steps: [...this.peers.get(peer).steps].map(([urn, step]) => ({ urn, ...step })) };
  }
}
