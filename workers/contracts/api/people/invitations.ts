/** A client's users, those invited too, by the API; and what the invited are shown and answer. */
import * as z from "zod";
import { named } from "#domain/entities/entity.ts";
import { clientUser } from "#domain/entities/user.ts";
import { environments } from "#domain/environment.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { BOTH_ROOTS, route, routes } from "../route.ts";
import { optionalName } from "./display-name.ts";

const { role } = clientUser.shape;
/** Most instances that one invitation names. */
const MAX_INSTANCES = 100;

export type ClientUser = z.infer<typeof clientUser>;

const ofClient = z.object({ client_id: z.uuid() });
const ofUser = ofClient.extend({ id: z.uuid() });

export const clientUserRoutes = routes("client users", {
  listClientUsers: route("get", "/api/clients/:client_id/users", {
    summary: "List a client's users, newest first: invited, validated and rejected",
    callers: BOTH_ROOTS,
    params: ofClient,
    query: pageQuery.extend({ status: clientUser.shape.status.optional() }),
    answer: pageOf(clientUser),
  }),
  inviteClientUser: route("post", "/api/clients/:client_id/users", {
    summary: "Invite someone to instances of a client; the mail is sent afterwards, and its link holds for seven days",
    callers: BOTH_ROOTS,
    params: ofClient,
    body: z.strictObject({
      email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
      /** Default: none. */
      name: optionalName.optional(),
      role,
      /** The client's, at least one. */
      instance_ids: z.array(z.uuid()).min(1).max(MAX_INSTANCES),
    }),
    answer: clientUser,
    status: 201,
    refusals: ["conflict", "limit_exceeded"],
  }),
  updateClientUser: route("put", "/api/clients/:client_id/users/:id", {
    summary: "Update a user's name or role: what is left out stays",
    callers: BOTH_ROOTS,
    params: ofUser,
    body: z.strictObject({ name: optionalName.optional(), role: role.optional() }),
    answer: clientUser,
    versioned: true,
  }),
  removeClientUser: route("delete", "/api/clients/:client_id/users/:id", {
    summary: "Remove a user from a client, with all access to its instances",
    callers: BOTH_ROOTS,
    params: ofUser,
    versioned: true,
  }),
  resendInvitation: route("post", "/api/clients/:client_id/users/:id/resend", {
    summary: "Send an invitation again, for another seven days: the link before is dead at once",
    callers: BOTH_ROOTS,
    params: ofUser,
    answer: clientUser,
    refusals: ["conflict", "limit_exceeded"],
  }),
  revokeInvitation: route("post", "/api/clients/:client_id/users/:id/revoke", {
    summary: "Withdraw an open invitation: its link is dead at once",
    callers: BOTH_ROOTS,
    params: ofUser,
    answer: clientUser,
    refusals: ["conflict"],
  }),
});

/** What the invited is shown, as JSON where it is asked for. */
export const invitation = clientUser.pick({ email: true, name: true, role: true, expires_at: true }).extend({
  client: named.omit({ id: true }).extend({ environment: z.enum(environments) }),
  /** Who invites; null for the platform itself. */
  partner: named.omit({ slug: true }).nullable(),
  /** Once it is accepted: those that were. */
  instance_ids: z.array(z.uuid()),
});
export type Invitation = z.infer<typeof invitation>;

/** What is `POST`ed, as JSON or as a form, where there is the decision alone. */
export const invitationDecision = z.strictObject({
  decision: z.enum(["accept", "reject"]),
  /** Default: all that the invitation names. */
  instance_ids: z.array(z.uuid()).max(MAX_INSTANCES).optional(),
});

/** The answer to a decision. */
export const answeredInvitation = invitation.extend({
  status: z.enum(["validated", "rejected"]),
  /** The tenant's own address, for who has accepted. */
  address: z.url().nullable(),
});
export type AnsweredInvitation = z.infer<typeof answeredInvitation>;
