/** Where a run works: an edge of its own, a running edge, or an account. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Cloudflare from "cloudflare";
import { readEdgeFile } from "#local/state/edge-file.ts";
import { startAnyDatabase } from "./any-database.ts";
import type { Target } from "./scope.ts";

export interface OpenTarget {
  target: Target;
  /** What the run does without. */
  warnings: string[];
  /** Directory of journals. */
  journals: string;
  close(): Promise<void>;
}

/** Of runs that a later one must clean up. */
const JOURNALS = join(import.meta.dirname, "../../.conformance");

const API_URL = "https://api.cloudflare.com/client/v4";
const AI_GATEWAY_URL = "https://gateway.ai.cloudflare.com";

/** Starts an edge in a temporary directory. */
export async function openOwnEdge(): Promise<OpenTarget> {
  const directory = mkdtempSync(join(tmpdir(), "conformance-"));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  // Against an account the edge's modules would only delay the start.
  const { DEFAULT_ACCOUNT, startEdge } = await import("@tenantry/edge");
  const { accountId, zoneId, domain } = DEFAULT_ACCOUNT;
  try {
    const database = await startAnyDatabase();
    const pushed = ["registry.cloudflare.com/account/gateway:1"];
    const edge = await startEdge({ directory, port: 0, limits: { apiRequests: Number.MAX_SAFE_INTEGER }, pushed });
    const { apiUrl, apiToken, aiGatewayUrl, port } = edge;
    const zone = { id: zoneId, name: domain };
    const close = async () => {
      await edge.stop();
      database.close();
      remove();
    };
    return {
      target: { kind: "edge", accountId, zone, apiUrl, apiToken, aiGatewayUrl, databaseUrl: database.url, port },
      warnings: [],
      journals: join(directory, "journals"),
      close,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** @param state state directory of `npm start` @throws Error if no edge runs there */
export function openRunningEdge(state: string): OpenTarget {
  const { api: apiUrl, apiToken, aiGatewayUrl, databaseUrl, accountId, zoneId, domain, port } = readEdgeFile(state);
  const zone = { id: zoneId, name: domain };
  const target = { kind: "edge" as const, accountId, zone, apiUrl, apiToken, aiGatewayUrl, databaseUrl, port };
  return { target, warnings: [], journals: JOURNALS, close: async () => {} };
}

type Variables = Readonly<Record<string, string | undefined>>;

function required(variables: Variables, name: string, what: string): string {
  const value = variables[name];
  if (!value) throw new Error(`${name} is not set. Set it to ${what}.`);
  return value;
}

const HEX_ID = /^[0-9a-f]{32}$/;

function idIn(variables: Variables, name: string, what: string): string {
  const id = required(variables, name, what);
  if (!HEX_ID.test(id)) throw new Error(`${name} must have 32 hexadecimal digits. Copy it from the dashboard.`);
  return id;
}

/** @throws Error when the token is invalid, or certainly of another account */
export async function openAccount(variables: Variables): Promise<OpenTarget> {
  const apiToken = required(
    variables,
    "CLOUDFLARE_API_TOKEN",
    "a token with the permissions of docs/reference/conformance.md",
  );
  const accountId = idIn(variables, "CLOUDFLARE_ACCOUNT_ID", "the id of the account to create resources in");
  const apiUrl = variables.CLOUDFLARE_BASE_URL || API_URL;
  const sdk = new Cloudflare({ apiToken, apiKey: null, apiEmail: null, baseURL: apiUrl });
  await verifyToken(sdk, accountId);
  await verifyAccount(sdk, accountId);
  const { zone, warnings } = await openZone(sdk, accountId, variables);
  const { protocol, port } = new URL(apiUrl);
  const aiGatewayUrl = variables.CLOUDFLARE_AI_GATEWAY_URL || AI_GATEWAY_URL;
  const databaseUrl = variables.CONFORMANCE_DATABASE_URL || undefined;
  const target: Target = { kind: "account", accountId, zone, apiUrl, apiToken, aiGatewayUrl, databaseUrl };
  return {
    target: { ...target, ...(protocol === "http:" && { port: Number(port) }) },
    warnings,
    journals: JOURNALS,
    close: async () => {},
  };
}

/** A token belongs to an account or to a user. */
async function verifyToken(sdk: Cloudflare, account_id: string): Promise<void> {
  try {
    const { status } = await sdk.accounts.tokens.verify({ account_id }).catch(() => sdk.user.tokens.verify());
    if (status === "active") return;
    throw new Error(`CLOUDFLARE_API_TOKEN is ${status}. Create another token.`);
  } catch (error) {
    if (error instanceof Cloudflare.APIConnectionError)
      throw new Error("Cloudflare's API cannot be reached. Check the network and CLOUDFLARE_BASE_URL.");
    if (error instanceof Cloudflare.APIError)
      throw new Error("CLOUDFLARE_API_TOKEN is invalid or expired. Create another token.");
    throw error;
  }
}

/** The list of accounts has those of the token, if it may read it. */
async function verifyAccount(sdk: Cloudflare, accountId: string): Promise<void> {
  const ids: string[] = [];
  try {
    for await (const { id } of sdk.accounts.list()) ids.push(id);
  } catch (error) {
    if (error instanceof Cloudflare.APIError) return;
    throw error;
  }
  if (ids.length > 0 && !ids.includes(accountId))
    throw new Error(
      "CLOUDFLARE_API_TOKEN is not for the account CLOUDFLARE_ACCOUNT_ID. Set the id of the token's account.",
    );
}

async function openZone(
  sdk: Cloudflare,
  accountId: string,
  variables: Variables,
): Promise<{ zone: Target["zone"]; warnings: string[] }> {
  if (!variables.CLOUDFLARE_ZONE_ID)
    return { zone: undefined, warnings: ["CLOUDFLARE_ZONE_ID is not set: cases that need a zone are skipped."] };
  const zone_id = idIn(variables, "CLOUDFLARE_ZONE_ID", "the id of a zone for tests");
  try {
    const { name, account, name_servers: nameServers } = await sdk.zones.get({ zone_id });
    if (account.id === accountId) return { zone: { id: zone_id, name, nameServers }, warnings: [] };
  } catch (error) {
    if (!(error instanceof Cloudflare.APIError)) throw error;
    if (error.status === 401 || error.status === 403)
      return {
        zone: undefined,
        warnings: ["The token cannot read the zone: cases that need it are skipped. Grant it Zone (Read)."],
      };
    throw new Error("The zone CLOUDFLARE_ZONE_ID does not exist. Set the id of a zone of the account.");
  }
  throw new Error("The zone CLOUDFLARE_ZONE_ID belongs to another account than CLOUDFLARE_ACCOUNT_ID.");
}
