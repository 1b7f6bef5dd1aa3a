/** A client's users in the API, also invited ones, and the invitation page. */
import * as z from "zod";
import { named } from "#domain/entities/entity.ts";
import { clientUser } from "#domain/entities/user.ts";
import { environments } from "#domain/environment.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { ROOTS_AND_ADMINS, route, routes } from "../route.ts";
import { optionalName } from "./display-name.ts";

const { role } = clientUser.shape;
const MAX_INSTANCES = 100;

export type ClientUser = z.infer<typeof clientUser>;

const ofClient = z.object({ client_id: z.uuid() });
const ofUser = ofClient.extend({ id: z.uuid() });

export const clientUserRoutes = routes("client users", {
  listClientUsers: route("get", "/api/clients/:client_id/users", {
    summary: "List a client's users",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    query: pageQuery.extend({ status: clientUser.shape.status.optional() }),
    answer: pageOf(clientUser),
  }),
  inviteClientUser: route("post", "/api/clients/:client_id/users", {
    summary: "Invite a user to a client",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    body: z.strictObject({
      email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
      /** Default: none. */
      name: optionalName.optional(),
      role,
      instance_ids: z.array(z.uuid()).min(1).max(MAX_INSTANCES),
    }),
    answer: clientUser,
    status: 201,
    refusals: ["conflict", "limit_exceeded"],
  }),
  updateClientUser: route("put", "/api/clients/:client_id/users/:id", {
    summary: "Update a client's user",
    callers: ROOTS_AND_ADMINS,
    params: ofUser,
    body: z.strictObject({ name: optionalName.optional(), role: role.optional() }),
    answer: clientUser,
    refusals: ["conflict"],
    versioned: true,
  }),
  removeClientUser: route("delete", "/api/clients/:client_id/users/:id", {
    summary: "Remove a user from a client",
    callers: ROOTS_AND_ADMINS,
    params: ofUser,
    refusals: ["conflict"],
    versioned: true,
  }),
  resendInvitation: route("post", "/api/clients/:client_id/users/:id/resend", {
    summary: "Resend an invitation",
    callers: ROOTS_AND_ADMINS,
    params: ofUser,
    answer: clientUser,
    refusals: ["conflict", "limit_exceeded"],
  }),
  revokeInvitation: route("post", "/api/clients/:client_id/users/:id/revoke", {
    summary: "Revoke an invitation",
    callers: ROOTS_AND_ADMINS,
    params: ofUser,
    answer: clientUser,
    refusals: ["conflict"],
  }),
});

/** The invitation page as JSON. */
export const invitation = clientUser.pick({ email: true, name: true, role: true, expires_at: true }).extend({
  client: named.omit({ id: true }).extend({ environment: z.enum(environments) }),
  /** The inviting partner; null for the platform. */
  partner: named.omit({ slug: true }).nullable(),
  /** After acceptance, only the accepted ones. */
  instance_ids: z.array(z.uuid()),
});
export type Invitation = z.infer<typeof invitation>;

/** Request body: as JSON, or as a form with the decision only. */
export const invitationDecision = z.strictObject({
  decision: z.enum(["accept", "reject"]),
  /** Default: all instances of the invitation. */
  instance_ids: z.array(z.uuid()).max(MAX_INSTANCES).optional(),
});

export const answeredInvitation = invitation.extend({
  status: z.enum(["validated", "rejected"]),
  /** Address of the tenant; null after a rejection. */
  address: z.url().nullable(),
});
export type AnsweredInvitation = z.infer<typeof answeredInvitation>;
