/** The dispatch Worker, as the platform calls it. */
import type { Settings } from "../settings.ts";
import { call } from "./call.ts";

export interface DispatchWorker {
  /** Has it forget what it knows of a tenant, and cut whoever is connected. @throws TaskError */
  invalidate(slug: string, signal: AbortSignal): Promise<void>;
}

export function dispatchWorker({
  DISPATCH_URL: url,
  INVALIDATE_TOKEN: token,
}: Pick<Settings, "DISPATCH_URL" | "INVALIDATE_TOKEN">): DispatchWorker {
  return {
    async invalidate(slug, signal) {
      await call({ url: `${url}/_invalidate/${slug}`, token, name: "The dispatch Worker" }, signal);
    },
  };
}
