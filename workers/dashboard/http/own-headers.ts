/** Headers of answers that are no pages, past those that every page has. */
import type { AppContext } from "../variables.ts";

/** An answer whose headers stand as they are, in place of what pages have. */
export function withOwnHeaders(c: AppContext, answer: Response): Response {
  c.set("ownHeaders", [...answer.headers]);
  return answer;
}

/** The outermost middleware, so that nothing comes after it. */
export async function ownHeaders(c: AppContext, next: () => Promise<void>): Promise<void> {
  await next();
  for (const [name, value] of c.get("ownHeaders") ?? []) c.res.headers.set(name, value);
}
