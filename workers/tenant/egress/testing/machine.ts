/**
 * The program of a machine with tenants, in a network of its own: its addresses are the public and private hosts of an attack, and its name
 * server is the attacker's. `rebinding.test.ts` starts it, and calls it by messages.
 */
import { createServer as createHttpServer } from "node:http";
import { createServer, type Socket } from "node:net";
import type { EgressPolicy } from "#domain/egress/policy-types.ts";
import { EGRESS_PATH } from "#workers/contracts/tenant/egress.ts";
import { startTenant, type Tenant, type TenantOptions } from "../../testing/harness.ts";
import { type NameServer, startNameServer } from "./name-server.ts";

export interface TenantRequest {
  policy: EgressPolicy;
  outbound: NonNullable<TenantOptions["outbound"]>;
}
/** `open` starts a tenant, and returns its number. `run` runs a shell command in its container, and returns the output. */
export type MachineRequest =
  | { call: "open"; tenant: TenantRequest }
  | { call: "resolve"; answers: NameServer["answers"] }
  | { call: "run"; tenant: number; command: string };
export interface MachineResponse {
  id: number;
  output: string;
  error?: string;
  /** Addresses of the machine that were connected to since the last response. */
  reached: string[];
}

const PLATFORM = { domain: "agents.example.com", refused: [] };

const names = await startNameServer("127.0.0.1");
const reached: string[] = [];
const note = ({ localAddress, localPort }: Socket) => {
  const address = `${localAddress?.replace(/^::ffff:/, "")}`;
  reached.push(`${address.includes(":") ? `[${address}]` : address}:${localPort}`);
};
const web = createHttpServer((_request, response) => response.end("arrived"));
web.on("connection", note);
const other = () =>
  createServer((socket) => {
    note(socket);
    socket.on("error", () => {});
    socket.end("arrived");
  });
for (const [server, port] of [
  [web, 80],
  [other(), 443],
  [other(), 22],
] as const)
  await new Promise<void>((resolve) => server.listen(port, "::", resolve));

const tenants: Tenant[] = [];

async function open({ policy, outbound }: TenantRequest): Promise<string> {
  const tenant = await startTenant(undefined, {
    network: "own",
    outbound,
    bindings: { EGRESS_BOUND: JSON.stringify({ layers: [null, null], platform: PLATFORM }) },
  });
  const number = tenants.push(tenant) - 1;
  const order = { revision: crypto.randomUUID(), layers: [null, policy], secrets: [] };
  const { status } = await tenant.fetch(EGRESS_PATH, { method: "PUT", body: JSON.stringify(order) });
  if (status !== 204) throw new Error(`The order was refused: status ${status}.`);
  await tenant.until((snapshot) => snapshot.status === "running");
  return String(number);
}

async function respond(request: MachineRequest): Promise<string> {
  if (request.call === "open") return open(request.tenant);
  if (request.call === "run") return tenants[request.tenant]?.inside(["sh", "-c", request.command]) ?? "";
  names.answers = request.answers;
  return "";
}

process.on("message", async ({ id, request }: { id: number; request: MachineRequest }) => {
  const response = await respond(request).then(
    (output) => ({ output }),
    (error: unknown) => ({ output: "", error: String(error) }),
  );
  process.send?.({ id, reached: reached.splice(0), ...response } satisfies MachineResponse);
});
process.on("disconnect", async () => {
  await Promise.all(tenants.map((tenant) => tenant.stop()));
  process.exit(0);
});
process.send?.({ id: 0, output: "", reached: [] } satisfies MachineResponse);
