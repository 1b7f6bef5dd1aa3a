/** Where the engine finds the edge that it deploys to. */
import * as z from "zod";
import { environments } from "#domain/environment.ts";

export const engineTarget = z.object({
  /** Base of the Cloudflare API. */
  apiUrl: z.url(),
  apiToken: z.string(),
  /** Base of the database's REST layer. */
  restUrl: z.url(),
  /** A key of the REST layer for each environment. */
  serviceRoleKeys: z.record(z.enum(environments), z.string()),
  /** Superuser's PostgreSQL URL. */
  databaseUrl: z.string(),
  /** Base of the AI gateways: what `https://gateway.ai.cloudflare.com` is at the vendor. */
  aiGatewayUrl: z.url(),
  accessIssuer: z.url(),
  /** Base at which each environment's dispatch Worker is reached. */
  dispatchUrls: z.record(z.enum(environments), z.url()),
  /** Encrypts secrets in the state. */
  passphrase: z.string(),
  /** Image that the stack's platform names in place of the one in its settings. */
  containerImage: z.string().optional(),
});
export type EngineTarget = z.infer<typeof engineTarget>;
