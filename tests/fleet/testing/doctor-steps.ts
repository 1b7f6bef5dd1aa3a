import type Cloudflare from "cloudflare";
import * as z from "zod";
import type { DoctorReport, ReportedFinding } from "#fleet/doctor/report.ts";
import { ACCOUNT_ID } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { clientSettings } from "../../testing/platform.ts";
import { runFleet } from "./fleet-run.ts";

/** Returns the stack file of one tenant. */
export const stackFile = (slug: string) =>
  `config: ${JSON.stringify({
    "tenantry:platformStack": "organization/tenantry/whole",
    "tenantry:clients": clientSettings([{ slug }]),
  })}\n`;

/** Returns the doctor's report of the only platform. */
export async function runDoctor(edge: Edge, args: readonly string[] = [], variables: NodeJS.ProcessEnv = {}) {
  const { code, output, progress } = await runFleet(edge, ["doctor", "--json", ...args], variables);
  if (output === "") throw new Error(`no report: ${progress}`);
  const report = JSON.parse(output) as DoctorReport;
  const [platform] = report.platforms;
  if (platform === undefined) throw new Error("no platform");
  return { code, progress, ...platform };
}

export const findingsOf = (findings: readonly ReportedFinding[], tenant: string) =>
  findings.filter((finding) => finding.tenant === tenant);

export const namesOf = (findings: readonly ReportedFinding[]) =>
  findings.map(({ what, name }) => `${what} ${name}`).toSorted();

const createdToken = z.object({ result: z.object({ id: z.string(), value: z.string() }) });

/** Creates an account token with one permission. */
export async function createToken(
  api: Cloudflare,
  name: string,
  permission: string,
): Promise<{ id: string; value: string }> {
  const policy = {
    effect: "allow",
    permission_groups: [{ id: permission }],
    resources: { [`com.cloudflare.api.account.${ACCOUNT_ID}`]: "*" },
  };
  const body = { name, policies: [policy] };
  return createdToken.parse(await api.post(`/accounts/${ACCOUNT_ID}/tokens`, { body })).result;
}

/** Writes the heartbeat that a tenant's Worker writes each minute while its gateway runs. */
export function writeHeartbeat(edge: Edge, slug: string): void {
  const bytes = (text: string) => [...Buffer.from(text)];
  const blobs = { blob1: bytes("container_heartbeat"), blob2: bytes("running"), blob3: bytes("production") };
  const event = { timestamp: `${Date.now()}000000`, index1: bytes(slug), ...blobs, double1: 1 };
  edge.runtime.analytics.append("tenantry", JSON.stringify(event));
}
