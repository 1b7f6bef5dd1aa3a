import type * as z from "zod";

/** Fetches JSON without following redirects. @throws Error whose message has nothing of the response body */
export async function fetchedJson<T>(url: string, body: z.ZodType<T>, init: RequestInit): Promise<T> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  const parsed = body.safeParse(await response.json());
  // zod's error quotes the body.
  if (!parsed.success) throw new Error("unexpected response body");
  return parsed.data;
}
