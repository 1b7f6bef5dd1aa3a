/** The dashboard's API with a caller of each kind: a platform root, and the roots of two partners. */
import type { RequestInit, Response } from "miniflare";
import type * as z from "zod";
import { consoleApi } from "#domain/access/access-addresses.ts";
import type { Route } from "#workers/contracts/api/route.ts";
import { type ErrorBody, errorBody } from "#workers/contracts/errors.ts";
import { consoleLogin } from "./console-login.ts";
import { type DashboardUnderTest, startDashboard } from "./start-dashboard.ts";

const EMAILS = { root: "root@platform.test", north: "root@north.test", south: "root@south.test" } as const;
export type As = keyof typeof EMAILS;

/** A user of a tenant. */
interface TenantLogin {
  slug: string;
  email: string;
}

interface Request {
  as: As | TenantLogin;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

type BodyOf<R extends Route> = R["answer"] extends z.ZodType ? z.output<R["answer"]> : undefined;

export interface ApiUnderTest extends DashboardUnderTest {
  emails: typeof EMAILS;
  /** Ids of the two partners. */
  partners: { north: string; south: string };
  /** Calls a route. @throws Error if the response is an error or does not match the route's schema */
  call<R extends Route>(route: R, request: Request): Promise<{ status: number; headers: Headers; body: BodyOf<R> }>;
  /** Calls a route and returns its error. @throws Error if the call succeeds */
  refused(route: Route, request: Request): Promise<{ status: number; error: ErrorBody["error"] }>;
  fetchAs(as: As, method: string, path: string, body?: unknown): Promise<Response>;
}

/** Starts the dashboard as deployed, with its database. @param texts bindings that differ from the default */
export async function startApi(...texts: Parameters<typeof startDashboard>): Promise<ApiUnderTest> {
  const dashboard = await startDashboard(...texts);
  const { db } = dashboard.database;
  const partner = async (slug: string) =>
    (await db.insertInto("tenantry.partners").values({ slug, name: slug }).returning("id").executeTakeFirstOrThrow())
      .id;
  const partners = { north: await partner("north"), south: await partner("south") };
  const users = [
    { email: EMAILS.root, name: "Rita", role: "ROOT" },
    { email: EMAILS.north, name: "Nora", role: "PARTNER_ROOT", partner_id: partners.north },
    { email: EMAILS.south, name: "Sven", role: "PARTNER_ROOT", partner_id: partners.south },
  ];
  for (const user of users) await db.insertInto("tenantry.dashboard_users").values(user).execute();

  const fetchAs: ApiUnderTest["fetchAs"] = (as, method, path, body) => send(as, method, path, body, {});
  const send = async (
    as: As | TenantLogin,
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ) => {
    const init: RequestInit =
      body === undefined
        ? { headers }
        : { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
    if (typeof as === "string") return dashboard.fetch(path, { ...init, method, email: EMAILS[as] });
    const login = await consoleLogin(as.slug, as.email);
    return dashboard.fetch(consoleApi(as.slug) + path, { ...init, method, headers: { ...init.headers, ...login } });
  };
  const request = (route: Route, { as, params = {}, query = {}, body, headers = {} }: Request) => {
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
    const search = new URLSearchParams(query).toString();
    return send(as, route.method.toUpperCase(), search === "" ? path : `${path}?${search}`, body, headers);
  };
  return {
    ...dashboard,
    emails: EMAILS,
    partners,
    fetchAs,
    async call<R extends Route>(route: R, sent: Request) {
      const response = await request(route, sent);
      const text = await response.text();
      const expected = route.status ?? (route.answer === undefined ? 204 : 200);
      if (response.status !== expected)
        throw new Error(`${route.method} ${route.path} answered ${response.status}: ${text}`);
      const body = route.answer === undefined ? undefined : route.answer.parse(JSON.parse(text));
      return { status: response.status, headers: response.headers as unknown as Headers, body: body as BodyOf<R> };
    },
    async refused(route, sent) {
      const response = await request(route, sent);
      const { error } = errorBody.parse(await response.json());
      return { status: response.status, error };
    },
  };
}
