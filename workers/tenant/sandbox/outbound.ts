/** The entrypoints of the tenant Worker for a container's requests. */
import type { Outbound } from "../egress/outbound.ts";
import type { Egress } from "../metrics/egress.ts";
import type { ModelCalls } from "../model-calls/entrypoint.ts";
import type { Entrypoints } from "./interceptions.ts";

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: { Egress: typeof Egress; ModelCalls: typeof ModelCalls; Outbound: typeof Outbound };
    }
  }
}

export const entrypointsOf = (exports: Cloudflare.Exports): Entrypoints<Fetcher> => ({
  metrics: exports.Egress({}),
  modelCalls: exports.ModelCalls({}),
  outbound: exports.Outbound({}),
});
