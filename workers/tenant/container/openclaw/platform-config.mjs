/** The platform's part of OpenClaw's configuration: access, model, hooks and log file. */
import { join } from "node:path";
import { merged } from "./config-file.mjs";
import { PROVIDER as SECRETS_PROVIDER } from "./deliveries/channels.mjs";

/** All scopes of OpenClaw's operators. */
export const OPERATOR_SCOPES = [
  "operator.admin",
  "operator.read",
  "operator.write",
  "operator.approvals",
  "operator.questions",
  "operator.pairing",
  "operator.talk",
  "operator.talk.secrets",
];

/** Scopes of a user without administrative rights. */
export const USER_SCOPES = ["operator.read", "operator.write", "operator.questions"];

/** Identity headers for OpenClaw. Only `identity-guard.mjs` can set them. */
export const USER_HEADER = "x-platform-user";
export const ROLE_HEADER = "x-platform-role";

/**
 * Addresses of the Worker: loopback on the local edge, a private address otherwise. They grant no access, since programs in the container have
 * such addresses too; the identity guard does.
 */
export const WITHIN = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "::1/128",
  "fc00::/7",
  "fe80::/10",
];

/** Variable of OpenClaw's token for its hooks, which `deliveries.mjs` sets. OpenClaw supports no other reference there. */
export const HOOKS_TOKEN_VARIABLE = "TENANTRY_HOOKS_TOKEN";

/** OpenClaw's provider name for the tenant's AI gateway. */
export const PROVIDER = "ai-gateway";
/** Placeholder for the provider's key, which OpenClaw requires. The tenant's Worker replaces it. */
const NO_PROVIDER_KEY = "set-by-the-platform";
/** A request contains its images and files: the gateway loads none by their addresses. */
const LOADS_NOTHING = { allowUrl: false };
/** For a model with an unknown context window. */
const CONTEXT_TOKENS = 128_000;

/**
 * Returns the keys that the platform sets, which override the tenant's file.
 *
 * @param env CF_ACCOUNT_ID, AI_GATEWAY_ID, AI_GATEWAY_URL, DEFAULT_MODEL, TENANT_ORIGIN; without an AI gateway, model providers are not set
 * @param directories see `paths.mjs`
 */
export function platformConfig(env, directories) {
  return {
    gateway: {
      mode: "local",
      trustedProxies: WITHIN,
      auth: {
        mode: "trusted-proxy",
        trustedProxy: {
          userHeader: USER_HEADER,
          requiredHeaders: [ROLE_HEADER],
          allowLoopback: true,
          // A device gets no more than the scopes of its user's role, which `identity-guard.mjs` sets for each connection.
          deviceAutoApprove: { enabled: true, scopes: OPERATOR_SCOPES },
        },
      },
      // An upper limit for each connection's scopes. Without administrative rights, nobody sees the sessions of others.
      roles: {
        default: "person",
        definitions: { person: { sessions: { others: "none" }, agents: "*", scopes: OPERATOR_SCOPES } },
      },
      // For OpenAI's clients at `/v1`.
      http: {
        endpoints: {
          chatCompletions: { enabled: true, images: LOADS_NOTHING },
          responses: { enabled: true, images: LOADS_NOTHING, files: LOADS_NOTHING },
        },
      },
      controlUi: {
        ...(env.TENANT_ORIGIN ? { allowedOrigins: [env.TENANT_ORIGIN] } : {}),
        // It would send a request to every host that a response links to.
        automaticallyFetchFavicons: false,
        // OpenClaw's Discord is not for the tenant's users.
        communityInvite: false,
      },
    },
    hooks: { enabled: true, path: "/hooks", token: `\${${HOOKS_TOKEN_VARIABLE}}` },
    secrets: { providers: { [SECRETS_PROVIDER]: { source: "env" } } },
    logging: { file: join(directories.logs, "openclaw.log") },
    // An intercepted name has such an address (the vendor's sidecar). The tenant's Worker refuses private hosts.
    tools: { web: { fetch: { ssrfPolicy: { allowIpv6UniqueLocalRange: true } } } },
    // The image sets the version.
    update: { checkOnStart: false },
    plugins: {
      entries: {
        // Used by `work.mjs`, which blocks other callers.
        "admin-http-rpc": { enabled: true },
        // The address in links and codes that pair a machine. OpenClaw reads it here only, also without the plug-in.
        ...(env.TENANT_ORIGIN ? { "device-pair": { config: { publicUrl: env.TENANT_ORIGIN } } } : {}),
      },
    },
    ...merged({ models: { catalogRefresh: { enabled: false } } }, aiGateway(env)),
  };
}

function aiGateway(env) {
  const { CF_ACCOUNT_ID: account, AI_GATEWAY_ID: gateway, AI_GATEWAY_URL: origin, DEFAULT_MODEL: model } = env;
  if (!account || !gateway || !origin || !model) return {};
  return {
    models: {
      providers: {
        [PROVIDER]: {
          baseUrl: `${origin}/v1/${account}/${gateway}/compat`,
          api: "openai-completions",
          apiKey: NO_PROVIDER_KEY,
          // Responses are private to the caller. AI gateways have cached them although caching was off.
          headers: { "cf-aig-skip-cache": "true" },
          models: [{ id: model, name: model, input: ["text"], contextWindow: CONTEXT_TOKENS }],
        },
      },
    },
    agents: { defaults: { model: { primary: `${PROVIDER}/${model}` } } },
  };
}
