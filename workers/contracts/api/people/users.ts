/** Users in the API: roots of the dashboard, and people who are users of clients. */
import * as z from "zod";
import { clientRoles, user } from "#domain/entities/user.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { BOTH_ROOTS, route, routes } from "../route.ts";

/** Most characters of an access identity, as JSON. */
const MAX_IDENTITY = 4_000;

export type User = z.infer<typeof user>;

const byId = z.object({ user_id: z.uuid() });

export const userRoutes = routes("users", {
  listUsers: route("get", "/user", {
    summary: "List users",
    callers: BOTH_ROOTS,
    query: pageQuery.extend({
      kind: user.shape.kind.optional(),
      partner_id: z.uuid().optional(),
      /** Part of an address or a name. */
      search: z.string().trim().min(1).max(100).optional(),
    }),
    answer: pageOf(user),
  }),
  getUser: route("get", "/user/:user_id", {
    summary: "Get a user",
    callers: BOTH_ROOTS,
    params: byId,
    answer: user,
    versioned: true,
  }),
  createUser: route("post", "/user", {
    summary: "Create a user",
    callers: BOTH_ROOTS,
    body: z.strictObject({
      email: z.email().max(254).toLowerCase(),
      name: user.shape.name.trim().max(200).default(""),
      /** Only a platform root can create a `ROOT` or `PARTNER_ROOT`. */
      role: user.shape.role,
      /** Required for a partner root. Default for a person: none, or the caller's partner. */
      partner_id: z.uuid().nullish(),
      cf_access_identity: user.shape.cf_access_identity
        .unwrap()
        .refine((identity) => JSON.stringify(identity).length <= MAX_IDENTITY, {
          message: `must have at most ${MAX_IDENTITY} characters as JSON`,
        })
        .nullish(),
    }),
    answer: user,
    status: 201,
    refusals: ["conflict", "forbidden"],
  }),
  deleteUser: route("delete", "/user/:user_id", {
    summary: "Delete a user",
    callers: BOTH_ROOTS,
    params: byId,
    refusals: ["conflict", "forbidden", "managed_by_git"],
    versioned: true,
  }),
  linkUser: route("post", "/client/:client_id/user/:user_id", {
    summary: "Link a person to a client",
    callers: BOTH_ROOTS,
    params: z.object({ client_id: z.uuid(), user_id: z.uuid() }),
    body: z.strictObject({
      /** Default: the person's own role. */
      role: z.enum(clientRoles).optional(),
      /** Instances that the user can open. Default: the client's instance. */
      instance_ids: z.array(z.uuid()).max(100).optional(),
    }),
    answer: user,
    status: 201,
    refusals: ["conflict"],
  }),
});
