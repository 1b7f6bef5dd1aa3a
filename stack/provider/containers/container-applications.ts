import { unlessGone } from "@tenantry/cloudflare-client/client";
import type Cloudflare from "cloudflare";
import * as z from "zod";

/** A container application as far as the stack owns it. */
export interface Application {
  id: string;
  name: string;
  image: string;
  instanceType: string;
  maxInstances: number;
  namespaceId: string;
}

const answer = z.looseObject({
  id: z.string(),
  name: z.string(),
  max_instances: z.number().nullish(),
  // One whose containers Durable Objects manage has no image.
  configuration: z.looseObject({ image: z.string().default(""), instance_type: z.string().nullish() }).prefault({}),
  durable_objects: z.looseObject({ namespace_id: z.string() }).nullish(),
});
const created = z.object({ result: z.looseObject({ id: z.string() }) });

/** Time, in seconds, that a container goes on after a rollout has begun: none, for what it writes then is in no backup. */
const GRACE_SECONDS = 0;
const STEP_PERCENT = 100;

function application(body: unknown): Application {
  const { id, name, max_instances, configuration, durable_objects } = answer.parse(body);
  return {
    id,
    name,
    image: configuration.image,
    instanceType: configuration.instance_type ?? "lite",
    maxInstances: max_instances ?? 0,
    namespaceId: durable_objects?.namespace_id ?? "",
  };
}

/** The container applications of an account, through the official SDK. */
export class ContainerApplications {
  readonly #client: Cloudflare;
  readonly #accountId: string;

  constructor(client: Cloudflare, accountId: string) {
    this.#client = client;
    this.#accountId = accountId;
  }

  get #path(): string {
    return `/accounts/${encodeURIComponent(this.#accountId)}/containers/applications`;
  }

  async find(matches: (candidate: Application) => boolean): Promise<Application | undefined> {
    for await (const found of this.#client.containers.applications.list({ account_id: this.#accountId })) {
      const candidate = application(found);
      if (matches(candidate)) return candidate;
    }
    return undefined;
  }

  /** Undefined when there is no such application. */
  async get(id: string): Promise<Application | undefined> {
    const found = await unlessGone(this.#client.containers.applications.get(id, { account_id: this.#accountId }));
    return found && application(found);
  }

  /** Makes an application and returns its id. */
  async create(wanted: Omit<Application, "id">): Promise<string> {
    const body = {
      name: wanted.name,
      scheduling_policy: "default",
      instances: 0,
      max_instances: wanted.maxInstances,
      configuration: { image: wanted.image, instance_type: wanted.instanceType },
      durable_objects: { namespace_id: wanted.namespaceId },
      constraints: {},
      rollout_active_grace_period: GRACE_SECONDS,
    };
    return created.parse(await this.#client.post(this.#path, { body })).result.id;
  }

  async resize(id: string, maxInstances: number): Promise<void> {
    await this.#client.patch(`${this.#path}/${encodeURIComponent(id)}`, { body: { max_instances: maxInstances } });
  }

  /** A new image or instance type goes out by a rollout: a change of the application cannot carry it. */
  async rollOut(id: string, target: { image: string; instanceType: string }): Promise<void> {
    const body = {
      description: `Image ${target.image}, instance type ${target.instanceType}`,
      strategy: "rolling",
      kind: "full_auto",
      step_percentage: STEP_PERCENT,
      target_configuration: { image: target.image, instance_type: target.instanceType },
    };
    await this.#client.post(`${this.#path}/${encodeURIComponent(id)}/rollouts`, { body });
  }

  /** One that is gone already is no error. */
  async delete(id: string): Promise<void> {
    await unlessGone(this.#client.containers.applications.delete(id, { account_id: this.#accountId }));
  }
}
