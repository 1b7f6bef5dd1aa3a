/** Addresses and secrets with which the engine deploys to an edge. */
import * as z from "zod";
import { environments } from "#domain/environment.ts";

export const engineTarget = z.object({
  apiUrl: z.url(),
  apiToken: z.string(),
  restUrl: z.url(),
  serviceRoleKeys: z.record(z.enum(environments), z.string()),
  /** As superuser. */
  databaseUrl: z.string(),
  /** Replaces `https://gateway.ai.cloudflare.com`. */
  aiGatewayUrl: z.url(),
  accessIssuer: z.url(),
  dispatchUrls: z.record(z.enum(environments), z.url()),
  /** Encrypts secrets in the stack's state. */
  passphrase: z.string(),
  /** Replaces the platform's image from the settings. */
  containerImage: z.string().optional(),
});
export type EngineTarget = z.infer<typeof engineTarget>;
