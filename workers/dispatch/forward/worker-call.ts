/** A call of a tenant's Worker: through the dispatch namespace, under the limits of a plan. */
import { type Plan, planLimits, plans } from "#domain/plans/plan.ts";

/** The namespace holds no such Worker. */
export class WorkerMissing extends Error {
  override name = "WorkerMissing";
}

/** The Worker went over a limit that it was called under. */
export class LimitExceeded extends Error {
  override name = "LimitExceeded";
}

/** Each plan's limits, as a dispatch namespace takes them. */
const OPTIONS: ReadonlyMap<Plan, DynamicDispatchOptions> = new Map(
  plans.map((plan) => {
    const { cpuMs, subrequests } = planLimits(plan);
    return [plan, { limits: { cpuMs, subRequests: subrequests } }];
  }),
);

/**
 * The answer of a Worker.
 *
 * @param worker script in the namespace
 * @param limitsOf the plan whose limits it is called under
 * @throws WorkerMissing, LimitExceeded, or what the Worker threw
 */
export async function callWorker(
  dispatcher: DispatchNamespace,
  { worker, limitsOf }: { worker: string; limitsOf: Plan },
  request: Request,
): Promise<Response> {
  try {
    return await dispatcher.get(worker, {}, OPTIONS.get(limitsOf)).fetch(request);
  } catch (error) {
    throw told(error);
  }
}

/** The namespace tells its own refusals by their text alone. */
function told(error: unknown): unknown {
  const message = error instanceof Error ? error.message : "";
  if (/worker not found/i.test(message)) return new WorkerMissing(message);
  if (/exceeded (its )?(cpu|time|resource)|too many subrequests|limit exceeded/i.test(message)) {
    return new LimitExceeded(message);
  }
  return error;
}
