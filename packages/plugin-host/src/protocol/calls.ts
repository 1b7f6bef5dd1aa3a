import type { StatusObject } from "@grpc/grpc-js";
import type * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { KeyedLock } from "@tenantry/std/keyed-lock";
import { explain, PartialError } from "../errors.ts";
import { fromStruct, type Properties, toStruct } from "../properties.ts";
import type { BoundResource, ProcessVariables, Provider } from "../provider.ts";
import { type Run, runFor } from "../run.ts";
import { Peers } from "./peers.ts";
import { errorStatus, partialStatus, StatusError } from "./status.ts";

type Outcome<T> = { kind: "answer"; value: T } | { kind: "error"; status: StatusObject };

/** The engine's calls on resources, counted while they are under way. */
export class Calls {
  readonly providers: readonly Provider[];
  readonly peers: Peers;
  readonly #creates = new KeyedLock();
  #underWay = 0;
  #idle: (() => void)[] = [];

  constructor(providers: readonly Provider[], variables: ProcessVariables) {
    this.providers = providers;
    this.peers = new Peers(providers, variables);
  }

  /** The version all providers of this host carry. */
  get version(): string {
    return this.providers[0]?.version ?? "0.0.0";
  }

  /** Resolves when no call is under way. */
  async idle(): Promise<void> {
    if (this.#underWay > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Answers one call of `peer` on `token`, a failure as a status of one sentence. */
  async run<T>(task: () => T | Promise<T>, token: string, peer: string): Promise<Outcome<T>> {
    this.#underWay++;
    try {
      return { kind: "answer", value: await task() };
    } catch (error) {
      if (error instanceof StatusError) return { kind: "error", status: error.status };
      const { message, detail } = explain(error, this.peers.find(token)?.wording);
      if (detail !== undefined) await runFor(this.peers.engine(peer), "", this.peers.cancelled(peer)).debug(detail);
      return { kind: "error", status: errorStatus(message) };
    } finally {
      this.#underWay--;
      if (this.#underWay === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  resource(peer: string, type: string): BoundResource {
    return this.peers.session(peer, type).resource(type);
  }

  #run(request: { getUrn(): string }, peer: string): Run {
    return runFor(this.peers.engine(peer), request.getUrn(), this.peers.cancelled(peer));
  }

  async create(request: pb.CreateRequest, peer: string): Promise<pb.CreateResponse> {
    const resource = this.resource(peer, request.getType());
    const inputs = fromStruct(request.getProperties());
    this.peers.steps(peer).set(request.getUrn(), { operation: "create", paths: [] });
    const response = new proto.CreateResponse();
    if (request.getPreview()) {
      // The SDK makes every output that is not there unknown.
      response.setProperties(toStruct(inputs));
      return response;
    }
    const created = await this.#creates
      .run(resource.lockKey(inputs), () => resource.create(inputs, this.#run(request, peer)))
      .catch((error: unknown) => {
        if (!(error instanceof PartialError)) throw error;
        const state = toStruct({ ...inputs, ...error.outputs }, resource.secretOutputs);
        throw new StatusError(partialStatus(error.id, state, toStruct(inputs, resource.secretOutputs), error.message));
      });
    this.peers.made(peer).add(`${resource.lockKey(inputs)} ${created.id}`);
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
    this.peers.steps(peer).set(request.getUrn(), { operation: "update", paths });
    const next: Properties = request.getPreview()
      ? resource.previewUpdate(state, inputs, now)
      : await resource.update(request.getId(), now, state, inputs, this.#run(request, peer));
    const response = new proto.UpdateResponse();
    response.setProperties(toStruct(next, resource.secretOutputs));
    return response;
  }

  /**
   * Deletes a resource, unless this very run has adopted it under another name of the program, or for a replacement that
   * was asked for: what the engine takes for the old one is then the new one too.
   */
  async delete(request: pb.DeleteRequest, peer: string): Promise<void> {
    const resource = this.resource(peer, request.getType());
    const [state, inputs] = [fromStruct(request.getProperties()), fromStruct(request.getOldInputs())];
    if (resource.keepsCreated && this.peers.made(peer).has(`${resource.lockKey(inputs)} ${request.getId()}`)) return;
    await resource.delete(request.getId(), state, inputs, this.#run(request, peer));
  }

  /**
   * Answers a function. Every provider has `{name}:index:steps`, by which a program learns what the run does to its resources:
   * of all that has been registered when it asks, without any value.
   */
  async invoke(token: string, args: Properties, peer: string): Promise<Properties> {
    if (!token.endsWith(":index:steps")) return this.peers.session(peer, token).invoke(token, args);
    return { steps: [...this.peers.steps(peer)].map(([urn, step]) => ({ urn, ...step })) };
  }
}
