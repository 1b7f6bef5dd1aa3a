/** Calls the dashboard's API as the platform's root, on a running edge that is known by its `edge.json` only. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { localToken } from "#local/local-token.ts";
import { type Answer, call } from "../../testing/http.ts";

export const ROOT_USER = "root@tenantry.example";
export const DASHBOARD = "dash.tenantry.localhost";

/** Content of `edge.json` that older versions write too. */
const runningEdge = z.object({
  port: z.number().int(),
  apiToken: z.string(),
  databaseUrl: z.string(),
  mail: z.object({ smtp: z.string(), api: z.url() }),
  /** Base URL of the automation service's `/healthz`. */
  automation: z.url(),
});
export type RunningEdge = z.infer<typeof runningEdge>;

/** @throws Error when there is no `edge.json` in `state` */
export function readRunningEdge(state: string): RunningEdge {
  return runningEdge.parse(JSON.parse(readFileSync(join(state, "edge.json"), "utf8")));
}

export type Target = Pick<RunningEdge, "port" | "apiToken">;

/** Calls a host with a user's Access token and a JSON body. */
export async function callAs(
  edge: Target,
  email: string,
  host: string,
  [method, path, body]: readonly [method: string, path: string, body?: object | undefined],
): Promise<Answer> {
  return call(edge, host, path, {
    method,
    headers: {
      cookie: `CF_Authorization=${await localToken(edge, email, host)}`,
      "content-type": "application/json",
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** @returns the parsed response. @throws Error with the response when it is refused */
export async function askAsRoot<T>(
  edge: Target,
  answer: z.ZodType<T>,
  ...[method, path, body]: [method: string, path: string, body?: object]
): Promise<T> {
  const { status, body: text } = await callAs(edge, ROOT_USER, DASHBOARD, [method, path, body]);
  if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${text}`);
  return answer.parse(JSON.parse(text));
}
