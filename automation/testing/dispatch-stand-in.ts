import type { CutOutcome, Invalidated } from "#workers/contracts/invalidated.ts";
import { type HttpStandIn, startHttpStandIn } from "./http-stand-in.ts";

export interface DispatchStandIn extends HttpStandIn {
  /** Outcomes of the next invalidations; then `done`. */
  cuts: CutOutcome[];
  /** Slugs of invalidated tenants. */
  forgotten(): string[];
}

const PATH = "GET /_invalidate/";

/** @param answerOf response to other requests. Default: an empty object, and `b1` for a backup */
export async function startDispatchStandIn(
  answerOf: (request: string) => object | undefined = (request) =>
    request.startsWith("POST /_backup/") ? { id: "b1" } : undefined,
): Promise<DispatchStandIn> {
  const cuts: CutOutcome[] = [];
  const standIn = await startHttpStandIn((request): Invalidated | object =>
    request.startsWith(PATH)
      ? { invalidated: request.slice(PATH.length), elsewhereWithinSeconds: 60, cut: cuts.shift() ?? "done" }
      : (answerOf(request) ?? {}),
  );
  const forgotten = () =>
    standIn.heard.filter(({ request }) => request.startsWith(PATH)).map(({ request }) => request.slice(PATH.length));
  return { ...standIn, cuts, forgotten };
}
