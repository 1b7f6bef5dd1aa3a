/** What a Worker gets as its `env`, made of its bindings' kinds. */
import * as z from "zod";
import type { TextNames } from "#workers/contracts/bindings.ts";

/** What the runtime gives for a binding, by its kind. */
interface Runtime {
  analytics_engine: AnalyticsEngineDataset;
  assets: Fetcher;
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
export type EnvOf<B> = {
  [K in keyof B as NonNullable<B[K]> extends keyof Runtime ? K : never]: Runtime[NonNullable<B[K]> & keyof Runtime];
};

/** What a Worker has to check before it trusts its texts: an operator may have deployed it without one. */
export type UncheckedEnvOf<B> = Omit<EnvOf<B>, TextNames<B>> & Record<string, unknown>;

/** An address to which paths are added: without slashes at its end. */
export const baseUrl = z.url().transform((url) => url.replace(/\/+$/, ""));

/** A text that holds JSON of a shape. */
export const jsonOf = <T extends z.ZodType>(shape: T) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "is no JSON" });
        return z.NEVER;
      }
    })
    .pipe(shape);

/**
 * The texts of an `env`, as `shape` makes them.
 *
 * @throws Error naming each binding that is missing or malformed, never its value
 */
export function parseTexts<T>(shape: z.ZodType<T>, env: object): T {
  const parsed = shape.safeParse(env);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")} (${issue.code})`);
  throw new Error(`Bindings missing or malformed: ${faults.join(", ")}`);
}
