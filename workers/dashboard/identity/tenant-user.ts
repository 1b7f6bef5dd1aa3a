/** The user of a tenant who is logged in at the console: read at each request, so that a user who was removed has no more access. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { type ConsoleUser, consolePerson, findConsoleViewer } from "#database/console/person.ts";
import type { DB } from "#database/types.ts";
import { named } from "#domain/entities/entity.ts";
import { clientUser } from "#domain/entities/user.ts";
import { environments } from "#domain/environment.ts";
import { consoleErrors } from "#domain/errors/api/console.ts";
import { stateError } from "#domain/errors/stated.ts";
import { type Role, TENANT_USERS, type TenantRole } from "#workers/contracts/api/route.ts";
import { shownPartner } from "#workers/contracts/branding.ts";
import { RateLimits } from "#workers/shared/rate-limits.ts";
import { type BrowserLogin, requireSession } from "../console/session.ts";
import type { Settings } from "../env.ts";
import { failure, NotAdmitted } from "../http/failure.tsx";
import { tooOften } from "../http/network-limit.ts";
import type { AppContext } from "../variables.ts";
import { type Caller, parseTenantCaller } from "./caller.ts";

const found = clientUser.pick({ id: true, email: true, role: true }).extend({
  client: named.omit({ id: true }).extend({ environment: z.enum(environments) }),
  partner: shownPartner.nullable(),
});

export type TenantUser = z.infer<typeof found> & ConsoleUser;

/** Changes of one user: each can be a request to Cloudflare, to a provider or to the tenant, and can send a mail. */
const changes = new RateLimits({ burst: 20, perSecond: 1 / 30 });

/** @throws Failure `limit_exceeded` */
export function limitChanges({ slug, email }: ConsoleUser): void {
  const wait = changes.take(`${slug} ${email}`, Date.now());
  if (wait > 0) throw tooOften(wait);
}

/** Returns the user with an address who has one of the roles. @throws Failure `access_denied` or `forbidden` */
export async function requireTenantUser(
  db: Kysely<DB>,
  user: ConsoleUser,
  roles: readonly TenantRole[],
): Promise<TenantUser> {
  const person = found.nullable().parse(await consolePerson(db, user));
  if (person === null) throw refusedLogin(user);
  if (!roles.includes(person.role)) throw failure(consoleErrors.console_admin_required);
  return { ...person, slug: user.slug, serviceToken: user.serviceToken };
}

/** Returns who opens a page of the console. @throws Failure `access_denied` */
export async function requireConsoleUser(
  db: Kysely<DB>,
  { isViewer, ...user }: ConsoleUser & BrowserLogin,
): Promise<Pick<TenantUser, "partner">> {
  if (!isViewer) return requireTenantUser(db, user, TENANT_USERS);
  const viewer = await findConsoleViewer(db, user);
  if (viewer === null) throw new NotAdmitted(user.email, stateError(consoleErrors.console_access_ended));
  return { partner: parseTenantCaller(viewer).tenant?.brand ?? null };
}

/** Returns the user who sends a request of the console. @throws Failure also `authentication_required`, or `limit_exceeded` for a change */
export async function callingTenantUser(
  db: Kysely<DB>,
  settings: Settings,
  { slug, roles, request }: { slug: string; roles: readonly TenantRole[]; request: Request },
): Promise<TenantUser> {
  const login = await requireSession(settings, slug, request);
  if (login.isViewer) throw failure(consoleErrors.console_view_read_only);
  const person = await requireTenantUser(db, login, roles);
  if (request.method !== "GET") limitChanges(login);
  return person;
}

function refusedLogin({ email, serviceToken }: ConsoleUser): NotAdmitted {
  const { console_access_ended: ofUser, console_service_token_refused: ofToken } = consoleErrors;
  return new NotAdmitted(email, serviceToken === undefined ? stateError(ofUser) : stateError(ofToken));
}

/**
 * Begins the request's transaction in the role of a tenant's user.
 *
 * @throws Failure `authentication_required`, `access_denied`, `forbidden`, or `limit_exceeded` for a change
 */
export async function enterAsTenantUser(c: AppContext, settings: Settings, roles: readonly Role[]): Promise<Caller> {
  const slug = c.req.param("slug") ?? "";
  const { raw: request } = c.req;
  const login = await requireSession(settings, slug, request);
  const caller = await c.get("connection").enterTenant(login, c.get("origin"));
  if (caller === undefined) throw refusedLogin(login);
  if (!roles.includes(caller.role)) throw failure(consoleErrors.console_admin_required);
  if (request.method === "GET") return caller;
  if (caller.tenant?.readOnly) throw failure(consoleErrors.console_view_read_only);
  limitChanges(login);
  return caller;
}
