import { serviceTokenRoutes } from "#workers/contracts/api/people/service-tokens.ts";
import { clientUser, IDS } from "../examples.ts";
import { section } from "../section.ts";

const ofClient = { client_id: IDS.client };

export const token = {
  id: IDS.serviceToken,
  client_id: IDS.client,
  client_user_id: IDS.clientUser,
  email: clientUser.email,
  name: "Laptop",
  role: "BASE_USER",
  access_client_id: "88bf3b6d86161464f6509f7219099e57.access",
  created_by: "root@platform.example",
  created_at: "2026-11-02T09:00:00.000Z",
  expires_at: "2027-01-31T09:00:00.000Z",
  last_used_at: null,
} as const;

export const createdToken = {
  ...token,
  client_secret: "bdd31cbc4dec990953e39163fbbb194c93313ca9f0a6e420346af9d326b1d2a5",
} as const;

export const serviceTokenSection = section(
  serviceTokenRoutes,
  "Service tokens",
  "A service token lets a program or device reach a tenant without a browser. It acts for one user of the client: the gateway sees that user, with the lower of the token's and the user's present role.",
  {
    listServiceTokens: {
      description: "Returns a client's service tokens with their last use, newest first, also expired ones.",
      params: ofClient,
      answer: { data: [{ ...token, last_used_at: "2026-11-03T10:15:00.000Z" }] },
    },
    createServiceToken: {
      description:
        "Creates a service token of Cloudflare Access. Send `access_client_id` and `client_secret` as the headers `CF-Access-Client-Id` and `CF-Access-Client-Secret`. The secret is in this response only. The tenant accepts the token within seconds.",
      params: ofClient,
      body: { client_user_id: IDS.clientUser, name: "Laptop", role: "BASE_USER", days: 90 },
      answer: createdToken,
      errors: {
        conflict:
          "The user has no access to the tenant or a lower role, the name is in use, or the client has the maximum of tokens. Or: the client is being deleted.",
      },
    },
    revokeServiceToken: {
      description:
        "Revokes a service token. Its requests are refused and its open connections end within seconds, also while Cloudflare Access still admits it. All other connections of the tenant reconnect.",
      params: { ...ofClient, id: IDS.serviceToken },
    },
  },
);
