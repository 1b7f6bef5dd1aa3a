import { ApiError } from "./operations.ts";

/** Products of an account that has to enable or buy them, and the API's refusal without them. */
interface ProductRefusal {
  /** Start of the paths, below the account. */
  path: string;
  status: number;
  code: number;
  message: string;
  /** Body of an API that does not use the envelope. Default: the envelope. */
  body?: string;
}

const PAID =
  "Unauthorized: You do not have access to Cloudflare Containers. Deploying containers requires the Workers Paid plan.";

export const productRefusals = {
  // Code and text: cloudflare/workers-sdk issues 2877 and 5399.
  r2: { path: "r2/", status: 403, code: 10042, message: "Please enable R2 through the Cloudflare Dashboard." },
  // Code and text: operators' reports of wrangler's output. Status: not documented.
  "workers-for-platforms": {
    path: "workers/dispatch/",
    status: 403,
    code: 10121,
    message:
      "You do not have access to dispatch namespaces. You can purchase it within the Cloudflare dashboard here: https://dash.cloudflare.com?to=/:account/workers-for-platforms",
  },
  // Recorded by @appflare/cf-api (capabilities.ts) on an account with the plan Workers Free.
  containers: { path: "containers/", status: 401, code: 1000, message: JSON.stringify({ error: PAID }) },
  // Code and text: operators' reports. Status: not documented.
  "zero-trust": {
    path: "access/",
    status: 403,
    code: 9999,
    message:
      "access.api.error.not_enabled: Access is not enabled. Visit the Access dashboard at https://one.dash.cloudflare.com/ to enable it.",
  },
  // Recorded by @appflare/cf-api (capabilities.ts): the SQL service answers, not the API.
  "analytics-engine": {
    path: "analytics_engine/",
    status: 403,
    code: 0,
    message: "Authorization error",
    body: "Authorization error",
  },
} as const satisfies Readonly<Record<string, ProductRefusal>>;

export type Product = keyof typeof productRefusals;

/** @returns the refusal of a request that needs a missing product @throws ApiError in the envelope */
export function refuseWithoutProduct(missing: readonly Product[], path: string): Response | undefined {
  const below = /\/accounts\/[^/]+\/(.*)$/.exec(path)?.[1];
  const found = missing
    .map((product): ProductRefusal => productRefusals[product])
    .find(({ path: start }) => below?.startsWith(start));
  if (found === undefined) return undefined;
  if (found.body !== undefined) return new Response(found.body, { status: found.status });
  throw new ApiError(found.status, found.code, found.message);
}
