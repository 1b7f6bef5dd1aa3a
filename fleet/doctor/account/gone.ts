import Cloudflare from "cloudflare";

/** The answer of a call; `undefined` where the API says that there is no such thing. */
export async function gone<T>(call: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Cloudflare.NotFoundError) return undefined;
    throw error;
  }
}
