/** Types and validation of a Worker's `env`. */
import * as z from "zod";
import type { TextNames } from "#workers/contracts/bindings.ts";

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

/** All bindings except Durable Objects, whose classes only the Worker knows. */
export type EnvOf<B> = {
  [K in keyof B as NonNullable<B[K]> extends keyof Runtime ? K : never]: Runtime[NonNullable<B[K]> & keyof Runtime];
};

/** Text bindings require validation: a deployment may lack one. */
export type UncheckedEnvOf<B> = Omit<EnvOf<B>, TextNames<B>> & Record<string, unknown>;

export const baseUrl = z.url().transform((url) => url.replace(/\/+$/, ""));

export const jsonOf = <T extends z.ZodType>(shape: T) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "must be JSON" });
        return z.NEVER;
      }
    })
    .pipe(shape);

/** Validates text bindings. @throws Error naming each binding that is missing or malformed, never its value */
export function parseTexts<T>(shape: z.ZodType<T>, env: object): T {
  const parsed = shape.safeParse(env);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")} (${issue.code})`);
  throw new Error(`Bindings missing or malformed: ${faults.join(", ")}`);
}
