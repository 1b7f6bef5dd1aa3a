import { failureText } from "../failure.ts";

/** What a look found, or why it found nothing: whatever could not be looked at to the end says nothing about what there is. */
export type Looked<T> = { found: T } | { fault: string };

/** @param wording of what was thrown. Default: its message */
export async function look<T>(work: () => Promise<T>, wording = failureText): Promise<Looked<T>> {
  try {
    return { found: await work() };
  } catch (error) {
    return { fault: wording(error) };
  }
}
