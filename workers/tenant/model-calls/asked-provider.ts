/** Which provider a call of the endpoint for all providers asks, as its body alone says: a provider's key is for no other to see. */
import * as z from "zod";
import { BodyTooLarge, readBounded } from "#workers/shared/bounded-body.ts";

/** Conversations with pictures have some megabytes; a Worker's memory holds 128. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

const asked = z.object({ model: z.string() });

/**
 * Reads the body.
 *
 * @returns the body, and the provider of its `model`, `{provider}/{name}`, where it has one; `undefined` for a body of more than 32 MiB
 */
export async function askedProvider(
  request: Request,
): Promise<{ body: Uint8Array<ArrayBuffer>; provider: string | undefined } | undefined> {
  try {
    const body = await readBounded(request, MAX_BODY_BYTES);
    return { body, provider: providerIn(body) };
  } catch (error) {
    if (error instanceof BodyTooLarge) return undefined;
    throw error;
  }
}

function providerIn(body: Uint8Array): string | undefined {
  try {
    const { model } = asked.parse(JSON.parse(new TextDecoder().decode(body)));
    return model.includes("/") ? model.slice(0, model.indexOf("/")) : undefined;
  } catch {
    return undefined;
  }
}
