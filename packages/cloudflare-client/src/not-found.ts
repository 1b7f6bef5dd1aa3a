import { NotFoundError } from "cloudflare/error";

/** Returns the result of an API call, or undefined when the API responds with 404. */
export async function undefinedIfNotFound<T>(call: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
