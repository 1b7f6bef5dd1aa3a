/** Users of the dashboard and of clients: the API, the queries and the dashboard derive from these schemas. */
import * as z from "zod";
import { instant, managed, timestamps } from "./entity.ts";

/** Roles in the dashboard: of the platform, and of a partner. */
export const rootRoles = ["ROOT", "PARTNER_ROOT"] as const;
/** Roles within a client. */
export const clientRoles = ["ADMIN", "BASE_USER"] as const;
/** An expired or revoked invitation is still `invited`: its `expires_at` is in the past. */
export const memberStates = ["invited", "validated", "rejected"] as const;
export type MemberState = (typeof memberStates)[number];
/** States of the mail that carries an invitation. */
export const mailStates = ["queued", "sent", "bounced", "failed"] as const;

/** A person's place at one client. */
export const membership = z.object({
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
  /** A root's role; for a person, the role at clients that set no other. */
  role: z.enum([...rootRoles, ...clientRoles]),
  /** Null for the platform's own users. */
  partner_id: z.uuid().nullable(),
  /** A person's most advanced status at any client; null without a client. Roots are validated. */
  status: z.enum(memberStates).nullable(),
  /** When the person was first validated at a client. */
  validated_at: instant.nullable(),
  /** How Access identifies the user; its parts are those of the identity provider. */
  cf_access_identity: z.record(z.string().min(1).max(100), z.json()).nullable(),
  /** Of all clients. */
  instance_ids: z.array(z.uuid()),
  clients: z.array(membership),
  managed_by: managed.managed_by,
  ...timestamps,
  version: z.number().int(),
});

/** A user of one client, also while invited. */
export const clientUser = z.object({
  id: z.uuid(),
  client_id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: z.enum(clientRoles),
  status: z.enum(memberStates),
  validated_at: instant.nullable(),
  /** Recorded when the invitation is accepted; null before. */
  cf_access_identity: z.looseObject({ email: z.string(), accepted_at: z.string() }).nullable(),
  instance_ids: z.array(z.uuid()),
  /** When the invitation expires; null once it is answered. */
  expires_at: instant.nullable(),
  /** State of the latest mail to the user; null without one. */
  mail_status: z.enum(mailStates).nullable(),
  ...timestamps,
  version: z.number().int(),
});
