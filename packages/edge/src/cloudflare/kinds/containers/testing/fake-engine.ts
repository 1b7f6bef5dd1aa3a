/** An engine whose containers tests start and end, and a clock that tests move. */
import type { Deployment, Instance } from "#containers/deployments.ts";
import { isOf } from "#containers/deployments.ts";
import type { ScriptName } from "#containers/names.ts";
import type { SchedulerOptions } from "../rollouts/scheduler.ts";

/** What a container does on SIGTERM. Default: it ends. */
type OnTerminate = "ends" | "continues";

export class FakeEngine implements Pick<SchedulerOptions["engine"], keyof SchedulerOptions["engine"]> {
  readonly stopped: string[] = [];
  onTerminate: OnTerminate = "ends";
  #running: Instance[] = [];
  readonly #deployments = new Map<string, Deployment>();
  readonly #listeners = new Set<() => void>();

  deploy({ namespace, name }: ScriptName, className: string, deployment: Deployment | undefined): void {
    const key = `${namespace}/${name}/${className}`;
    if (deployment === undefined) this.#deployments.delete(key);
    else this.#deployments.set(key, deployment);
  }

  instances(script: ScriptName): Instance[] {
    return this.#running.filter((one) => isOf(script, one));
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async stopContainer(name: string, how: "terminate" | "remove"): Promise<void> {
    this.stopped.push(`${how} ${name}`);
    if (how === "remove" || this.onTerminate === "ends") this.end(name);
  }

  /** Starts a container with what is deployed. @returns its image; `undefined` when none may start */
  start(script: ScriptName, className: string, name: string, startedAt: number): string | undefined {
    const deployment = this.#deployments.get(`${script.namespace}/${script.name}/${className}`);
    if (deployment === undefined) return undefined;
    this.#running = [...this.#running, { script, name, version: deployment.version, startedAt }];
    this.#announce();
    return deployment.image;
  }

  end(name: string): void {
    this.#running = this.#running.filter((one) => one.name !== name);
    this.#announce();
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
