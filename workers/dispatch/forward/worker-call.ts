import { type Plan, planLimits, plans } from "#domain/plans/plan.ts";

export class WorkerMissing extends Error {
  override name = "WorkerMissing";
}

export class LimitExceeded extends Error {
  override name = "LimitExceeded";
}

const OPTIONS: ReadonlyMap<Plan, DynamicDispatchOptions> = new Map(
  plans.map((plan) => {
    const { cpuMs, subrequests } = planLimits(plan);
    return [plan, { limits: { cpuMs, subRequests: subrequests } }];
  }),
);

/** @throws WorkerMissing, LimitExceeded, or the Worker's own error */
export async function callWorker(
  dispatcher: DispatchNamespace,
  { worker, limitsOf }: { worker: string; limitsOf: Plan },
  request: Request,
): Promise<Response> {
  try {
    return await dispatcher.get(worker, {}, OPTIONS.get(limitsOf)).fetch(request);
  } catch (error) {
    throw classify(error);
  }
}

/** The namespace's own errors differ in their messages only. */
function classify(error: unknown): unknown {
  const message = error instanceof Error ? error.message : "";
  if (/worker not found/i.test(message)) return new WorkerMissing(message);
  if (/exceeded (its )?(cpu|time|resource)|too many subrequests|limit exceeded/i.test(message)) {
    return new LimitExceeded(message);
  }
  return error;
}
