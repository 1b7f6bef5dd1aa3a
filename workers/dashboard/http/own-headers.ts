import type { AppContext } from "../variables.ts";

/** Returns a response whose headers replace those of pages. */
export function withOwnHeaders(c: AppContext, response: Response): Response {
  c.set("ownHeaders", [...response.headers]);
  return response;
}

/** Must be the outermost middleware. */
export async function ownHeaders(c: AppContext, next: () => Promise<void>): Promise<void> {
  await next();
  for (const [name, value] of c.get("ownHeaders") ?? []) c.res.headers.set(name, value);
}
