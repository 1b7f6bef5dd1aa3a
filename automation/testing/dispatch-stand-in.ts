/** The dispatch Worker as far as it is told to forget tenants. */
import type { CutOutcome, Invalidated } from "#workers/contracts/invalidated.ts";
import { type HttpStandIn, startHttpStandIn } from "./http-stand-in.ts";

export interface DispatchStandIn extends HttpStandIn {
  /** What becomes of the next orders; `done` when there are none. */
  cuts: CutOutcome[];
  /** Slugs that it was told to forget. */
  forgotten(): string[];
}

const PATH = "GET /_invalidate/";

/** @param answerOf what other orders are answered with; default: an empty object, and the backup `b1` of an order for one */
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
