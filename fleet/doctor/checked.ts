import { failureText } from "../failure.ts";

/** Result of a check, or why it failed. A failed check proves nothing about what exists. */
export type Checked<T> = { found: T } | { fault: string };

/** @param wording of an error. Default: its message */
export async function checkWork<T>(work: () => Promise<T>, wording = failureText): Promise<Checked<T>> {
  try {
    return { found: await work() };
  } catch (error) {
    return { fault: wording(error) };
  }
}
