/** The platform's own part of OpenClaw's configuration: who may come in, by which model it thinks, where it writes. */
import { join } from "node:path";
import { merged } from "./config-file.mjs";

/** Every scope of OpenClaw's operators. */
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

/** What a user without administrative rights may do: talk to agents, in sessions of their own. */
export const USER_SCOPES = ["operator.read", "operator.write", "operator.questions"];

/** Headers by which the identity guard tells OpenClaw who asks. Nothing else can set them: see `identity-guard.mjs`. */
export const USER_HEADER = "x-platform-user";
export const ROLE_HEADER = "x-platform-role";

/**
 * From where the Worker reaches the container: loopback on the local edge, an address of no public network elsewhere. It lets nobody
 * in, as programs of the container have such addresses too: the guard does, by what the Worker signed.
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

/** The model provider by whose name OpenClaw knows the tenant's AI gateway. */
const PROVIDER = "ai-gateway";
/** What OpenClaw has in the place of a provider's key, which it insists on. The tenant's Worker takes it for none, and puts on its own. */
const NO_PROVIDER_KEY = "set-by-the-platform";
/** Of a model about which nothing is known, in tokens. */
const CONTEXT_TOKENS = 128_000;

/**
 * The keys that are the platform's, whatever the tenant's file says of them.
 *
 * @param env CF_ACCOUNT_ID, AI_GATEWAY_ID, AI_GATEWAY_URL, DEFAULT_MODEL, TENANT_ORIGIN; without an AI gateway the model providers are the tenant's own
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
          deviceAutoApprove: {
            enabled: true,
            scopes: OPERATOR_SCOPES.filter((scope) => scope !== "operator.admin"),
          },
        },
      },
      // A ceiling, which each connection's own scopes stay below: without administrative rights nobody sees others' sessions.
      roles: {
        default: "person",
        definitions: { person: { sessions: { others: "none" }, agents: "*", scopes: OPERATOR_SCOPES } },
      },
      controlUi: {
        ...(env.TENANT_ORIGIN ? { allowedOrigins: [env.TENANT_ORIGIN] } : {}),
        // It would ask every host that an answer links to.
        automaticallyFetchFavicons: false,
        // An invitation to OpenClaw's own Discord is none of the tenant's users' business.
        communityInvite: false,
      },
    },
    logging: { file: join(directories.logs, "openclaw.log") },
    // The image is what brings another version.
    update: { checkOnStart: false },
    // How `work.mjs` asks it, which lets nobody else in.
    plugins: { entries: { "admin-http-rpc": { enabled: true } } },
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
          // An answer is for who asked: gateways were seen to cache though they are told not to.
          headers: { "cf-aig-skip-cache": "true" },
          models: [{ id: model, name: model, input: ["text"], contextWindow: CONTEXT_TOKENS }],
        },
      },
    },
    agents: { defaults: { model: { primary: `${PROVIDER}/${model}` } } },
  };
}
