/** Headers between the parts of the runtime. They never come from a client and never go to one. */

export const INTERNAL_PREFIX = "x-tenantry-";
/** Proves to a Worker's entry module that the request comes from this runtime. */
export const SECRET_HEADER = "x-tenantry-secret";
/** Subrequests the invocation may make. */
export const SUBREQUESTS_HEADER = "x-tenantry-subrequests";
/** Subrequests that each invocation of the script's Durable Objects may make. */
export const OBJECT_SUBREQUESTS_HEADER = "x-tenantry-object-subrequests";
/** URL-encoded message of what a Worker threw. */
export const EXCEPTION_HEADER = "x-tenantry-exception";
/** URL-encoded JSON: what a dispatching Worker asks for. */
export const DISPATCH_HEADER = "x-tenantry-dispatch";
/** URL-encoded message that `fetch` of a dispatched Worker throws. */
export const DISPATCH_ERROR_HEADER = "x-tenantry-dispatch-error";
/** URL-encoded name of the dataset a data point belongs to. */
export const DATASET_HEADER = "x-tenantry-dataset";
/** What tells an invocation its limits; left out where there is none. */
export function subrequestHeaders(o: {
  subrequests: number | undefined;
  objectSubrequests: number | undefined;
}): Record<string, string> {
  return {
    ...(o.subrequests === undefined ? {} : { [SUBREQUESTS_HEADER]: String(o.subrequests) }),
    ...(o.objectSubrequests === undefined ? {} : { [OBJECT_SUBREQUESTS_HEADER]: String(o.objectSubrequests) }),
  };
}

/** Read by workerd itself as `request.cf`. */
export const CF_HEADER = "mf-cf-blob";
