/** `npm run token -- --email a@b --host acme.tenantry.localhost [--state DIR]` prints an Access token for that host. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { DEFAULT_STATE } from "./start/options.ts";
import { readEdgeFile } from "./state/edge-file.ts";

const answer = z.union([z.object({ token: z.string() }), z.object({ error: z.object({ message: z.string() }) })]);

try {
  const { values } = parseArgs({
    options: { email: { type: "string" }, host: { type: "string" }, state: { type: "string" } },
  });
  if (!values.email || !values.host)
    throw new Error("Use: npm run token -- --email a@b --host acme.tenantry.localhost");
  const edge = readEdgeFile(resolve(values.state ?? DEFAULT_STATE));
  const response = await fetch(`http://127.0.0.1:${edge.port}/local/token`, {
    method: "POST",
    headers: { authorization: `Bearer ${edge.apiToken}`, "content-type": "application/json" },
    body: JSON.stringify({ email: values.email, host: values.host }),
  });
  const body = answer.parse(await response.json());
  if ("error" in body) throw new Error(body.error.message);
  process.stdout.write(`${body.token}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
