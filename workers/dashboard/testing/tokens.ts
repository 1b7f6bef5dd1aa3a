/** The dashboard with Cloudflare's API as the edge emulates it, and a client with an ADMIN, for tests of service tokens. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import { listen } from "@tenantry/std/listening";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { type ApiUnderTest, startApi } from "./start-api.ts";

export interface TokensUnderTest {
  api: ApiUnderTest;
  client_id: string;
  slug: string;
  instance: string;
  /** Id of ada@acme.test. */
  admin: string;
  /** Response of Cloudflare's API instead of its own. */
  refusal: Response | undefined;
  /** Requests to the dispatch Worker, with their tokens. */
  invalidated: string[];
  /** Returns the names of the tokens at Access. */
  atAccess(): Promise<(string | undefined)[]>;
}

/** Starts it for a file, with another client in each test. */
export function useTokens(): TokensUnderTest {
  const context = { invalidated: [] as string[] } as TokensUnderTest;
  let cloudflare: ApiServer;
  let dispatch: Server;
  beforeAll(async () => {
    cloudflare = await startApiServer(async () => context.refusal?.clone());
    dispatch = createServer((request, response) => {
      context.invalidated.push(`${request.headers.authorization} ${request.url}`);
      response.end("{}");
    });
    await listen(dispatch, { port: 0 });
    context.api = await startApi({
      CLOUDFLARE_API_URL: cloudflare.url,
      CF_ACCOUNT_ID: account_id,
      SERVICE_TOKENS_TOKEN: cloudflare.apiToken,
      DISPATCH_URL: `http://127.0.0.1:${(dispatch.address() as AddressInfo).port}`,
      INVALIDATE_TOKEN: "token-that-invalidates",
    });
    context.atAccess = async () => {
      const names = [];
      for await (const { name } of cloudflare.cloudflare.zeroTrust.access.serviceTokens.list({ account_id })) {
        names.push(name);
      }
      return names;
    };
  });
  afterAll(async () => {
    await context.api?.stop();
    await cloudflare?.close();
    dispatch?.close();
  });
  beforeEach(async () => {
    const { db, pool } = context.api.database;
    const client_id = await insertClient(db, { partner_id: context.api.partners.north });
    const { rows } = await pool.query("select slug from tenantry.clients where id = $1", [client_id]);
    const instance = await insertInstance(db, client_id);
    const admin = await insertClientUser(db, { client_id, email: "ada@acme.test", status: "validated" }, [instance]);
    Object.assign(context, { client_id, slug: rows[0]?.slug, instance, admin });
  });
  afterEach(() => {
    context.refusal = undefined;
    context.invalidated = [];
  });
  return context;
}
