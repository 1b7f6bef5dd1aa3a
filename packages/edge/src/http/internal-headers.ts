/** Headers between parts of the runtime. They are removed from requests of clients and from responses to them. */

export const INTERNAL_PREFIX = "x-edge-";
/** Proves to a Worker's entry module that the runtime sent the request. */
export const SECRET_HEADER = "x-edge-secret";
/** Subrequest limit of the invocation. */
export const SUBREQUESTS_HEADER = "x-edge-subrequests";
/** Subrequest limit of each invocation of the script's Durable Objects. */
export const OBJECT_SUBREQUESTS_HEADER = "x-edge-object-subrequests";
/** URL-encoded message of a Worker's exception. */
export const EXCEPTION_HEADER = "x-edge-exception";
/** URL-encoded JSON of a dispatched request. */
export const DISPATCH_HEADER = "x-edge-dispatch";
/** URL-encoded message that `fetch` of a dispatched Worker throws. */
export const DISPATCH_ERROR_HEADER = "x-edge-dispatch-error";
/** URL-encoded name of the dataset of a data point. */
export const DATASET_HEADER = "x-edge-dataset";

/** URL-encoded JSON of a question to the weather. */
export const WEATHER_HEADER = "x-edge-weather";

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
