/** Carries out rollouts, and sets what the containers of each class get that start. */
import type { Log } from "@tenantry/std/log";
import type { Store } from "#account/store.ts";
import type { Deployment, Instance } from "#containers/deployments.ts";
import type { ContainerEngine } from "#containers/engine.ts";
import { containerScript, type ScriptName } from "#containers/names.ts";
import type { Clock } from "#runtime/core/cron-clock.ts";
import type { ScriptRecord } from "../../scripts/record.ts";
import { sizeOf } from "../application.ts";
import type { ContainerApplicationRecord } from "../record.ts";
import { advance, type RolloutTimes, startsUpdated } from "./advance.ts";
import { openRollout, type RolloutRecord, rolloutsOf } from "./record.ts";

export interface SchedulerOptions {
  store: Store;
  engine: Pick<ContainerEngine, "deploy" | "instances" | "onChange" | "stopContainer">;
  clock: Clock;
  times: RolloutTimes;
  /** Whether the account can pull an image. */
  isPullable: (image: string) => boolean;
  log: Log;
}

interface OwnClass {
  script: ScriptName;
  className: string;
}

/** An application that is not deleted. */
interface Followed {
  class: OwnClass | undefined;
  hasRollout: boolean;
  /** Cancels the next turn of its open rollout. */
  cancel: () => void;
  isDue: boolean;
}

export class Scheduler {
  readonly #o: SchedulerOptions;
  readonly #unsubscribe: (() => void)[];
  readonly #followed = new Map<string, Followed>();
  #isStopped = false;

  constructor(options: SchedulerOptions) {
    this.#o = options;
    const { store, engine } = options;
    const scripts = store.list("script");
    for (const application of store.list("container_application")) this.#follow(application, scripts);
    this.#unsubscribe = [
      engine.onChange(() => {
        for (const id of this.#followed.keys()) this.#takeTurnSoon(id);
      }),
      store.onChange(({ kind, id }) => {
        if (kind === "script") this.#onScript(store.get("script", id));
        if (kind === "container_application") this.#onApplication(id);
      }),
    ];
  }

  /** Returns the running containers of an application. */
  instances({ id }: Pick<ContainerApplicationRecord, "id">): Instance[] {
    const own = this.#followed.get(id)?.class;
    return own === undefined ? [] : this.#o.engine.instances(own.script, own.className);
  }

  stop(): void {
    this.#isStopped = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    for (const { cancel } of this.#followed.values()) cancel();
  }

  #onApplication(id: string): void {
    const application = this.#o.store.get("container_application", id);
    if (application !== undefined) {
      this.#follow(application, this.#o.store.list("script"));
      return;
    }
    const { class: own, cancel } = this.#followed.get(id) ?? {};
    cancel?.();
    this.#followed.delete(id);
    if (own !== undefined) this.#o.engine.deploy(own.script, own.className, undefined);
  }

  /** A script that is uploaded after its deletion has new classes, without applications. */
  #onScript(script: ScriptRecord | undefined): void {
    if (script === undefined || script.containers.length === 0) return;
    const applications = this.#o.store.list("container_application");
    for (const { class_name: className } of script.containers) {
      const object = script.durable_objects.find((one) => one.class_name === className);
      const own = applications.find(({ durable_objects: of }) => of.namespace_id === object?.namespace_id);
      if (own === undefined) this.#o.engine.deploy(containerScript(script), className, undefined);
      else this.#follow(own, [script]);
    }
  }

  #follow(application: ContainerApplicationRecord, scripts: readonly ScriptRecord[]): void {
    const { id, durable_objects: of } = application;
    const own = classOf(scripts, of.namespace_id) ?? this.#followed.get(id)?.class;
    const followed = this.#followed.get(id) ?? { cancel: () => {}, isDue: false };
    this.#followed.set(id, { ...followed, class: own, hasRollout: openRollout(application) !== undefined });
    this.#deploy(application);
    this.#takeTurnSoon(id);
  }

  #deploy(application: ContainerApplicationRecord): void {
    const own = this.#followed.get(application.id)?.class;
    if (own === undefined) return;
    this.#o.engine.deploy(own.script, own.className, deploymentOf(application, this.instances(application)));
  }

  /** After the change that is being announced, and once for several. */
  #takeTurnSoon(id: string): void {
    const followed = this.#followed.get(id);
    if (followed === undefined || !followed.hasRollout || followed.isDue) return;
    followed.isDue = true;
    queueMicrotask(() => {
      const present = this.#followed.get(id);
      if (present === undefined || this.#isStopped) return;
      present.isDue = false;
      present.cancel();
      this.#takeTurn(id, present);
    });
  }

  #takeTurn(id: string, followed: Followed): void {
    const { store, engine, clock, times, isPullable, log } = this.#o;
    const application = store.get("container_application", id);
    const open = application && openRollout(application);
    if (application === undefined || open === undefined) return;
    const now = clock.now();
    const { rollout, stops, wakeAt } = advance(open, {
      ...{ now, times, instances: this.instances(application) },
      graceMs: Number(application.rollout_active_grace_period ?? 0) * 1000,
      isPullable: isPullable(open.target_configuration.image ?? ""),
    });
    if (Number.isFinite(wakeAt)) followed.cancel = clock.after(Math.max(0, wakeAt - now), () => this.#takeTurnSoon(id));
    for (const { name, how } of stops) {
      log("containers", how === "terminate" ? "replacing" : "replaced-by-force", {
        application: application.name,
        name,
      });
      void engine.stopContainer(name, how).catch((error: unknown) => {
        log("containers", "not-stopped", { name, message: String(error) });
      });
    }
    if (rollout !== open) store.put("container_application", withChanged(application, rollout));
    // The share of instances with the target version may have changed.
    else this.#deploy(application);
  }
}

function classOf(scripts: readonly ScriptRecord[], namespaceId: string): OwnClass | undefined {
  for (const script of scripts) {
    const found = script.durable_objects.find(({ namespace_id }) => namespace_id === namespaceId);
    if (found !== undefined) return { script: containerScript(script), className: found.class_name };
  }
  return undefined;
}

/** Returns what a container of an application gets that starts now; `undefined` when its Durable Objects choose. */
function deploymentOf(application: ContainerApplicationRecord, running: readonly Instance[]): Deployment | undefined {
  const open = openRollout(application);
  const isUpdated = open !== undefined && startsUpdated(open, running);
  const given = isUpdated ? open.target_configuration : application.configuration;
  const { image } = given;
  const version = isUpdated ? open.target_version : Number(application.version);
  return image === undefined ? undefined : { image, version, size: sizeOf(given) };
}

/** Applies a completed rollout to its application. */
function withChanged(application: ContainerApplicationRecord, rollout: RolloutRecord): ContainerApplicationRecord {
  const rollouts = rolloutsOf(application).map((one) => (one.id === rollout.id ? rollout : one));
  if (rollout.status !== "completed") return { ...application, rollouts };
  return {
    ...application,
    rollouts,
    configuration: rollout.target_configuration,
    version: rollout.target_version,
    updated_at: rollout.last_updated_at,
  };
}
