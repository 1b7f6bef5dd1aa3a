/** JSON of a service of the platform's own choosing. */
import type * as z from "zod";

/**
 * Asks a service, whose redirects are not followed.
 *
 * @param init `signal` ends it in time
 * @throws Error whose message says what was wrong and nothing of what was read
 */
export async function fetchedJson<T>(url: string, answer: z.ZodType<T>, init: RequestInit): Promise<T> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  const parsed = answer.safeParse(await response.json());
  // Its own error quotes what it read.
  if (!parsed.success) throw new Error("an unexpected answer");
  return parsed.data;
}
