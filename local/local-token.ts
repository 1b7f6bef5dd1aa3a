import * as z from "zod";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import type { EdgeFile } from "./state/edge-file.ts";

const responseBody = z.union([z.object({ token: z.string() }), z.object({ error: z.object({ message: z.string() }) })]);

/** @throws Error with the edge's message when access is denied */
export async function localToken(
  { port, apiToken }: Pick<EdgeFile, "port" | "apiToken">,
  email: string,
  host: string,
): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/local/token`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
    body: JSON.stringify({ email, host }),
  });
  const body = responseBody.parse(await response.json());
  if ("error" in body) throw new CatalogueError(body.error);
  return body.token;
}
