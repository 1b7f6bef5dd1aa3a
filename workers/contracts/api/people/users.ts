/** Users, by the API: those of the dashboard, and the people who are users of clients. */
import * as z from "zod";
import { instant, pageOf, pageQuery } from "../paging.ts";
import { BOTH_ROOTS, route } from "../route.ts";
import { owners } from "../tenants/clients.ts";

/** Roles of people within a client. */
export const clientRoles = ["ADMIN", "BASE_USER"] as const;
export const memberStates = ["invited", "validated", "rejected"] as const;

/** How Access knows someone; its parts are those of the identity provider. */
const accessIdentity = z.record(z.string().min(1).max(100), z.json());
/** Most characters of an access identity, as JSON. */
const MAX_IDENTITY = 4_000;

const membership = z.object({
  client_id: z.uuid(),
  slug: z.string(),
  role: z.enum(clientRoles),
  status: z.enum(memberStates),
  instance_ids: z.array(z.uuid()),
});

export const user = z.object({
  id: z.uuid(),
  /** `dashboard` for roots, `person` for users of clients. */
  kind: z.enum(["dashboard", "person"]),
  email: z.string(),
  name: z.string(),
  /** A root's level; a person's role where a client gives it no other. */
  role: z.enum([...BOTH_ROOTS, ...clientRoles]),
  /** Null for the platform's own. */
  partner_id: z.uuid().nullable(),
  /** The furthest that a person is with any client; null for one who is with none. Roots are validated. */
  status: z.enum(memberStates).nullable(),
  /** When first a client's user. */
  validated_at: instant.nullable(),
  cf_access_identity: accessIdentity.nullable(),
  /** Of all clients. */
  instance_ids: z.array(z.uuid()),
  clients: z.array(membership),
  managed_by: z.enum(owners),
  created_at: instant,
  updated_at: instant,
  version: z.number().int(),
});
export type User = z.infer<typeof user>;

const byId = z.object({ user_id: z.uuid() });

export const userRoutes = {
  listUsers: route({
    method: "get",
    path: "/user",
    tag: "users",
    summary: "List users, the newest first",
    callers: BOTH_ROOTS,
    query: pageQuery.extend({
      kind: z.enum(["dashboard", "person"]).optional(),
      partner_id: z.uuid().optional(),
      /** Part of an address or a name. */
      search: z.string().trim().min(1).max(100).optional(),
    }),
    answer: pageOf(user),
  }),
  getUser: route({
    method: "get",
    path: "/user/:user_id",
    tag: "users",
    summary: "Get a user",
    callers: BOTH_ROOTS,
    params: byId,
    answer: user,
    versioned: true,
  }),
  createUser: route({
    method: "post",
    path: "/user",
    tag: "users",
    summary: "Create a user: a root of the dashboard, or a person who can be linked to clients",
    callers: BOTH_ROOTS,
    body: z.strictObject({
      email: z.email().max(254).toLowerCase(),
      name: z.string().trim().max(200).default(""),
      /** `ROOT` and `PARTNER_ROOT` are made by platform roots alone. */
      role: z.enum([...BOTH_ROOTS, ...clientRoles]),
      /** Of a partner root; of a person, null or left out: the platform's own, or for a partner root its own partner's. */
      partner_id: z.uuid().nullish(),
      cf_access_identity: accessIdentity
        .refine((identity) => JSON.stringify(identity).length <= MAX_IDENTITY, {
          message: `is at most ${MAX_IDENTITY} characters of JSON`,
        })
        .nullish(),
    }),
    answer: user,
    status: 201,
    refusals: ["conflict", "forbidden"],
  }),
  deleteUser: route({
    method: "delete",
    path: "/user/:user_id",
    tag: "users",
    summary: "Remove a user from the dashboard, or a person from every client",
    callers: BOTH_ROOTS,
    params: byId,
    refusals: ["conflict", "forbidden", "managed_by_git"],
    versioned: true,
  }),
  linkUser: route({
    method: "post",
    path: "/client/:client_id/user/:user_id",
    tag: "users",
    summary: "Link a person to a client with a role, as a validated user",
    callers: BOTH_ROOTS,
    params: z.object({ client_id: z.uuid(), user_id: z.uuid() }),
    body: z.strictObject({
      /** Default: the role the person was made with. */
      role: z.enum(clientRoles).optional(),
      /** Instances the user may enter. Default: the client's one. */
      instance_ids: z.array(z.uuid()).max(100).optional(),
    }),
    answer: user,
    status: 201,
    refusals: ["conflict"],
  }),
};
