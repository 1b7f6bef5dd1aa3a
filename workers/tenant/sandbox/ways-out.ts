/** What of a container's own requests comes to the tenant Worker, each host to an entrypoint of its own (`interceptOutboundHttp`). */
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

/** Opens a container's ways out. One that cannot be opened is told of: without it the container runs all the same. */
export async function openWaysOut(
  container: Pick<Container, "interceptOutboundHttp">,
  exports: Cloudflare.Exports,
): Promise<void> {
  const open = async (host: string, entrypoint: Fetcher): Promise<void> => {
    try {
      await container.interceptOutboundHttp(host, entrypoint);
    } catch (error) {
      log("error", "way-out.not-open", { host, message: String(error) });
    }
  };
  await open(METRICS_HOST, exports.Egress({}));
  await open(AI_GATEWAY_HOST, exports.ModelCalls({}));
}
