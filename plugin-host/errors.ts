import type { Properties } from "./properties.ts";

/** An error whose message is already the one sentence the user shall read. */
export class UserError extends Error {
  override name = "UserError";
}

/**
 * The resource exists, but is not as it should be: the engine keeps its id, and the next run goes on from there.
 * `reason` is one sentence.
 */
export class PartialError extends Error {
  override name = "PartialError";
  readonly id: string;
  readonly outputs: Properties;

  constructor(id: string, outputs: Properties, reason: string) {
    super(reason);
    this.id = id;
    this.outputs = outputs;
  }
}

/** How a provider words errors of the libraries it calls; undefined for one it does not know. */
export type Wording = (error: unknown) => string | undefined;

/** The first line of an error, worded by `wording` where it can be: never a stack. */
export function sentence(error: unknown, wording: Wording = () => undefined): string {
  if (error instanceof UserError || error instanceof PartialError) return error.message;
  const worded = wording(error);
  if (worded !== undefined) return worded;
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? "unknown error";
}
