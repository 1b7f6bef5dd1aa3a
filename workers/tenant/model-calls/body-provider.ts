import * as z from "zod";
import { BodyTooLarge, readBounded } from "#workers/shared/bounded-body.ts";
import { jsonOf } from "#workers/shared/env.ts";

/** Conversations with images have several megabytes; a Worker has 128 MB of memory. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

const modelBody = jsonOf(z.object({ model: z.string().catch(""), user: z.string().optional().catch(undefined) }));

/**
 * Reads the body of a call to the endpoint for all providers. Only the provider in its `model`, `{provider}/{name}`, may receive that
 * provider's key. Its `user` is the caller's name of the person.
 *
 * @returns `undefined` when the body is larger than 32 MiB
 */
export async function readProvider(
  request: Request,
): Promise<{ body: Uint8Array<ArrayBuffer>; provider: string | undefined; user: string | undefined } | undefined> {
  try {
    const body = await readBounded(request, MAX_BODY_BYTES);
    const { model = "", user } = modelBody.safeParse(new TextDecoder().decode(body)).data ?? {};
    return { body, provider: model.includes("/") ? model.slice(0, model.indexOf("/")) : undefined, user };
  } catch (error) {
    if (error instanceof BodyTooLarge) return undefined;
    throw error;
  }
}
