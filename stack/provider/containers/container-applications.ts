import { randomUUID } from "node:crypto";
import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import type Cloudflare from "cloudflare";
import * as z from "zod";
import { createOnce, NO_RETRY } from "../create-once.ts";

export interface Application {
  id: string;
  name: string;
  image: string;
  instanceType: string;
  maxInstances: number;
  namespaceId: string;
}

const applicationResponse = z.looseObject({
  id: z.string(),
  name: z.string(),
  max_instances: z.number().nullish(),
  // Applications without Durable Objects have no image here.
  configuration: z.looseObject({ image: z.string().default(""), instance_type: z.string().nullish() }).prefault({}),
  durable_objects: z.looseObject({ namespace_id: z.string() }).nullish(),
  active_rollout_id: z.string().nullish(),
});
const activeRollout = z.object({
  result: z.looseObject({
    status: z.string(),
    target_configuration: z.looseObject({ image: z.string().nullish(), instance_type: z.string().nullish() }),
  }),
});
/** Statuses of a rollout with which its target counts: it may complete between two reads. */
const COUNTS = ["pending", "progressing", "completed"];
const created = z.object({ result: z.looseObject({ id: z.string() }) });
const rollouts = z.object({ result: z.array(z.looseObject({ description: z.string().default("") })) });

/** Seconds that a container must have been connected before a rollout stops it: none, so that a version change is fast. */
const GRACE_SECONDS = 0;
const STEP_PERCENT = 100;

interface Found extends Application {
  activeRollout: string | undefined;
}

function parseApplication(body: unknown): Found {
  const { id, name, max_instances, configuration, durable_objects, active_rollout_id } =
    applicationResponse.parse(body);
  return {
    id,
    activeRollout: active_rollout_id ?? undefined,
    name,
    image: configuration.image,
    instanceType: configuration.instance_type ?? "lite",
    maxInstances: max_instances ?? 0,
    namespaceId: durable_objects?.namespace_id ?? "",
  };
}

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

  /** Returns the application that matches. A list may still have deleted ones, so it is read by its id. */
  async find(matches: (candidate: Application) => boolean): Promise<Application | undefined> {
    for await (const found of this.#client.containers.applications.list({ account_id: this.#accountId })) {
      const listed = parseApplication(found);
      const current = matches(listed) ? await this.get(listed.id) : undefined;
      if (current !== undefined) return current;
    }
    return undefined;
  }

  /** During a rollout, the application has its former configuration. @returns it with the rollout's target */
  async #withTarget({ activeRollout: rollout, ...application }: Found): Promise<Application> {
    if (rollout === undefined) return application;
    const path = `${this.#path}/${encodeURIComponent(application.id)}/rollouts/${encodeURIComponent(rollout)}`;
    const found = await undefinedIfNotFound(this.#client.get(path));
    if (found === undefined) return application;
    const { status, target_configuration: target } = activeRollout.parse(found).result;
    if (status === "replaced") return (await this.get(application.id)) ?? application;
    if (!COUNTS.includes(status)) return application;
    const { image, instanceType } = application;
    return { ...application, image: target.image ?? image, instanceType: target.instance_type ?? instanceType };
  }

  async get(id: string): Promise<Application | undefined> {
    const found = await undefinedIfNotFound(
      this.#client.containers.applications.get(id, { account_id: this.#accountId }),
    );
    return found && this.#withTarget(parseApplication(found));
  }

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
    return createOnce(
      async () => created.parse(await this.#client.post(this.#path, { body, ...NO_RETRY })).result.id,
      // A Durable Object namespace has one application, and its script has the owner's tag.
      async () =>
        (await this.find(({ name, namespaceId }) => name === wanted.name && namespaceId === wanted.namespaceId))?.id,
      { isUnique: true },
    );
  }

  async resize(id: string, maxInstances: number): Promise<void> {
    await this.#client.patch(`${this.#path}/${encodeURIComponent(id)}`, { body: { max_instances: maxInstances } });
  }

  /** The API deploys a new image or instance type only through a rollout. It replaces an open one, and ends after this call. */
  async rollOut(id: string, target: { image: string; instanceType: string }): Promise<void> {
    const path = `${this.#path}/${encodeURIComponent(id)}/rollouts`;
    const description = `Image ${target.image}, instance type ${target.instanceType} (${randomUUID()})`;
    const body = {
      description,
      strategy: "rolling",
      kind: "full_auto",
      step_percentage: STEP_PERCENT,
      target_configuration: { image: target.image, instance_type: target.instanceType },
    };
    // A second rollout would replace the containers that the first one started.
    await createOnce(
      async () => void (await this.#client.post(path, { body, ...NO_RETRY })),
      async () => {
        const { result } = rollouts.parse(await this.#client.get(path));
        return result.some((rollout) => rollout.description === description) || undefined;
      },
    );
  }

  async delete(id: string): Promise<void> {
    await undefinedIfNotFound(this.#client.containers.applications.delete(id, { account_id: this.#accountId }));
  }
}
