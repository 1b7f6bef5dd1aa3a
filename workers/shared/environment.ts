/** A Worker's environment, made of its bindings' kinds. */
import type { TextNames } from "../contracts/bindings.ts";

/** What the runtime gives for a binding, by its kind. */
interface Runtime {
  analytics_engine: AnalyticsEngineDataset;
  browser: Fetcher;
  dispatch_namespace: DispatchNamespace;
  hyperdrive: Hyperdrive;
  kv_namespace: KVNamespace;
  plain_text: string;
  queue: Queue<unknown>;
  r2_bucket: R2Bucket;
  secret_text: string;
}

/** Every binding but those to Durable Objects, whose classes only the Worker itself knows. */
export type EnvironmentOf<B> = {
  [K in keyof B as NonNullable<B[K]> extends keyof Runtime ? K : never]: Runtime[NonNullable<B[K]> & keyof Runtime];
};

/** What a Worker has to check before it trusts its texts: an operator may have deployed it without one. */
export type UncheckedEnvironmentOf<B> = Omit<EnvironmentOf<B>, TextNames<B>> & Record<string, unknown>;
