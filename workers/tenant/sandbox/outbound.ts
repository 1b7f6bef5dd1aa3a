/** Routes a container's requests to two hosts to entrypoints of the tenant Worker (`interceptOutboundHttp`). */
import { AI_GATEWAY_HOST, METRICS_HOST } from "#workers/contracts/tenant/sandbox.ts";
import { log } from "#workers/shared/log.ts";
import type { Egress } from "../metrics/egress.ts";
import type { ModelCalls } from "../model-calls/entrypoint.ts";

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: { Egress: typeof Egress; ModelCalls: typeof ModelCalls };
    }
  }
}

/** Routes both hosts. Logs a failure instead of throwing: the container runs without the route. */
export async function interceptOutbound(
  container: Pick<Container, "interceptOutboundHttp">,
  exports: Cloudflare.Exports,
): Promise<void> {
  const routes: Record<string, Fetcher> = {
    [METRICS_HOST]: exports.Egress({}),
    [AI_GATEWAY_HOST]: exports.ModelCalls({}),
  };
  for (const [host, entrypoint] of Object.entries(routes)) {
    try {
      await container.interceptOutboundHttp(host, entrypoint);
    } catch (error) {
      log("error", "way-out.not-open", { host, message: String(error) });
    }
  }
}
