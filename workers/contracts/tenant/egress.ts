/** The egress policy that a tenant's Worker applies to its container, and what the container reached. */
import * as z from "zod";
import { egressHost, egressLayers, egressModes } from "#domain/egress/policy-types.ts";
import { MAX_EGRESS_SECRETS } from "#domain/entities/egress.ts";
import { INTERNAL_PATH_PREFIX } from "./internal.ts";

/**
 * `PUT` with an {@link egressOrder}: replaces the policy and the secrets. 204 after they are stored and hold for a running container. `GET`: an
 * {@link egressReport}.
 */
export const EGRESS_PATH = `${INTERNAL_PATH_PREFIX}/egress`;

/** Names of headers that describe the connection or its caller, which a secret cannot replace. */
const RESERVED_HEADER =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|expect|proxy-.*|sec-websocket-.*|x-platform-.*|cf-.*)$/;
const DOMAIN_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const VISIBLE_ASCII = /^[!-~](?:[ -~]*[!-~])?$/;

/** What is encrypted of a secret. The tenant's Worker sets `header: prefix + value` on the container's HTTPS requests to `host`, port 443. */
export const egressSecretValue = z.strictObject({
  name: z.string().min(1).max(80),
  /** Exact, lower case. No IP literal. */
  host: z.string().regex(DOMAIN_NAME),
  /** Lower case. */
  header: z
    .string()
    .max(80)
    .regex(/^[a-z0-9!#$%&'*+.^_`|~-]+$/)
    .refine((header) => !RESERVED_HEADER.test(header), "a header of the connection"),
  /** Before the value, such as `Bearer `. */
  prefix: z
    .string()
    .max(40)
    .regex(/^[ -~]*$/),
  value: z.string().max(8_192).regex(VISIBLE_ASCII),
});
export type EgressSecretValue = z.infer<typeof egressSecretValue>;

/** @property id changes with the value */
export const egressSecret = egressSecretValue.extend({ id: z.uuid() });
export type EgressSecret = z.infer<typeof egressSecret>;

export const egressOrder = z.strictObject({
  revision: z.uuid(),
  /** Of the partner and of the tenant; null where nothing is stated. */
  layers: egressLayers.max(2),
  secrets: z
    .array(egressSecret)
    .max(MAX_EGRESS_SECRETS)
    .refine(
      (secrets) => new Set(secrets.map(({ host, header }) => `${host} ${header}`)).size === secrets.length,
      "one secret per host and header",
    ),
});
export type EgressOrder = z.infer<typeof egressOrder>;

/** `PUT` to the dispatch Worker's order `/_egress/{slug}`, which decrypts the secrets. The automation service cannot decrypt them. */
export const sealedEgressOrder = egressOrder.omit({ secrets: true }).extend({
  sealed: z.array(z.strictObject({ id: z.uuid(), credentials: z.base64() })).max(MAX_EGRESS_SECRETS),
});
export type SealedEgressOrder = z.infer<typeof sealedEgressOrder>;

/**
 * What the policy demands and the running container's platform or image does not provide. `http`, `https`, `ports`: such requests are not
 * intercepted. `certificate`: HTTPS is intercepted, and the image does not have the authority's certificate.
 */
export const egressGaps = ["http", "https", "ports", "certificate"] as const;
export type EgressGap = (typeof egressGaps)[number];

export const egressReport = z.object({
  /** Of the order in force; null before the first. */
  revision: z.uuid().nullable(),
  mode: z.enum(egressModes),
  /** Whether the running container has other access to what is not intercepted than the policy states, until its next start. */
  restartRequired: z.boolean(),
  /** None while no container runs. */
  gaps: z.array(z.enum(egressGaps)),
  /** Those with the most recent request first; up to 2,000. */
  hosts: z.array(egressHost),
});
export type EgressReport = z.infer<typeof egressReport>;
