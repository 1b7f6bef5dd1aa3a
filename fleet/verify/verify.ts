/** Proves a running platform end to end, with a given tenant or with a canary that is removed at the end. */

import { dispatchWorker } from "#automation/outside/dispatch-worker.ts";
import type { Named } from "#domain/errors/catalogue.ts";
import { asSentence } from "#domain/errors/catalogue-error.ts";
import { verifyErrors as errors } from "#domain/errors/commands/fleet-verify.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";
import { failureText } from "../failure.ts";
import type { FleetOptions } from "../options.ts";
import { failed, type Outcome, passed, skipped } from "../preflight/check.ts";
import { CLOUDFLARE_API, CloudflareApi } from "../preflight/cloudflare.ts";
import { type CheckResult, withoutSecrets } from "../preflight/report.ts";
import { Canary, leftCanaries } from "./canary.ts";
import { aiGatewayOf, type RunningPlatform, readPlatform } from "./platform.ts";
import { ServiceAccess } from "./service-access.ts";
import { type Login, MOST_MS, STEPS, type Step, type StepArgs, WAKE_AFTER_S } from "./steps.ts";

export interface VerifyOptions extends FleetOptions {
  /** Stack of the platform. */
  stack: string;
  /** Slug of the tenant. Default: a canary. */
  tenant: string | undefined;
  /** Returns an Access token of a user for a host, where service tokens are not admitted. */
  accessToken?: ((email: string, host: string) => Promise<string>) | undefined;
}

export interface VerifyReport {
  command: "verify";
  stack: string;
  /** Slug. */
  tenant: string;
  /** Whether the tenant was a canary. */
  canary: boolean;
  checks: CheckResult[];
}

const TOKEN_VARIABLE = "TENANTRY_ACCESS_TOKEN";
const DEPLOY = { id: "deploy", title: "A canary is deployed" };
const FIND = { id: "tenant", title: "The tenant is deployed" };
const GRANT = { id: "access", title: "A service token is admitted to the tenant" };
const REVOKE = { id: "access_removed", title: "The service token is removed" };
const REVOKE_MS = 2 * 60_000;
const REMOVE_LEFT = { id: "remove_left", title: "The canary of a killed run is removed" };
const REMOVE = { id: "remove", title: "The canary is removed" };

/** @throws Error if the stack has no platform; the signal's reason after an interruption, without the canary */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const platform = await readPlatform(options.stack, options);
  const canary = options.tenant === undefined ? new Canary(platform, options) : undefined;
  const slug = canary?.slug ?? options.tenant ?? "";
  const checks: CheckResult[] = [];
  const secrets = [platform.invalidateToken, options.variables[TOKEN_VARIABLE], options.variables.CLOUDFLARE_API_TOKEN];
  const add = (step: Pick<Step, "id" | "title">, outcome: Outcome) => {
    const known = secrets.filter((text) => text !== undefined && text !== "") as string[];
    const result = withoutSecrets({ check: step.id, title: step.title, ...outcome }, known);
    checks.push(result);
    options.say(`${result.state} ${result.title}`);
  };
  if (canary !== undefined) {
    await removeLeft(platform, options, add);
    options.say(`The canary ${slug} is in the stack ${canary.stack}.`);
  }
  try {
    const isDeployed =
      canary === undefined
        ? await attempt(add, FIND, () => findTenant(options, platform, slug), errors.verify_tenant_unknown, { slug })
        : await attempt(add, DEPLOY, () => canary.deploy(), errors.verify_canary_not_deployed);
    const first = canary === undefined ? FIND : DEPLOY;
    const missing = isDeployed ? undefined : first;
    await withLogin({ options, platform, slug, add, secrets, missing }, (login) =>
      proveSteps({ options, platform, slug, checks, add, missing, login }),
    );
  } finally {
    if (canary !== undefined) await remove(canary, REMOVE, add);
  }
  options.signal.throwIfAborted();
  return { command: "verify", stack: options.stack, tenant: slug, canary: canary !== undefined, checks };
}

async function removeLeft(platform: RunningPlatform, options: VerifyOptions, add: Add): Promise<void> {
  const canaries = await leftCanaries(platform, options).catch((error: unknown) => {
    // A stack of another project may be unreadable, which does not concern this platform.
    options.say(`Failed to list the stacks, so canaries of killed runs were not searched: ${failureText(error)}`);
    return [];
  });
  for (const left of canaries) await remove(left, REMOVE_LEFT, add);
}

const remove = (canary: Canary, step: Pick<Step, "id" | "title">, add: Add) =>
  attempt(add, step, () => canary.remove(), errors.verify_canary_not_removed, {
    slug: canary.slug,
    stack: canary.stack,
  });

type Add = (step: Pick<Step, "id" | "title">, outcome: Outcome) => void;

/** @returns whether the work succeeded */
async function attempt(
  add: Add,
  step: Pick<Step, "id" | "title">,
  work: () => Promise<void>,
  entry: Named,
  values: Record<string, string> = {},
): Promise<boolean> {
  try {
    await work();
    add(step, passed());
    return true;
  } catch (error) {
    add(step, failed(entry, { ...values, fault: asSentence(failureText(error)) }));
    return false;
  }
}

interface LoginArgs extends Pick<Proof, "options" | "platform" | "slug" | "add" | "missing"> {
  /** Receives secrets that no report may have. */
  secrets: (string | undefined)[];
}

/** Does `work` with a login: a user's, else a service token's that is removed afterwards. */
async function withLogin(args: LoginArgs, work: (login: Login) => Promise<void>): Promise<void> {
  const { options, platform, slug, add, secrets, missing } = args;
  const host = tenantHostname(slug, platform.environment, platform.domain);
  const user = await userLogin(options, platform, host);
  if (user !== undefined || missing !== undefined) return work(user ?? { why: "the tenant is not deployed." });
  const access = new ServiceAccess({ accountId: platform.accountId, slug, host });
  let login: Login = { why: "a service token of Access could not be created." };
  try {
    for (const name of await access.removeLeftovers(apiOf(options))) options.say(`Removed ${name} of a killed run.`);
    const headers = await access.grant(apiOf(options));
    if (headers !== undefined) {
      login = { headers };
      secrets.push(headers["cf-access-client-secret"]);
      add(GRANT, passed());
    } else {
      login = { why: "CLOUDFLARE_API_TOKEN may not create service tokens of Access." };
      add(GRANT, skipped(errors.verify_login_not_possible, login));
    }
  } catch (error) {
    if (!options.signal.aborted)
      add(GRANT, failed(errors.verify_access_not_granted, { fault: asSentence(failureText(error)) }));
  }
  try {
    await work(login);
  } finally {
    // Also after an interruption, and after a lost answer to the creation.
    const revoked = () => access.revoke(apiOf(options, AbortSignal.timeout(REVOKE_MS)));
    await attempt(add, REVOKE, revoked, errors.verify_access_not_removed, { name: access.name });
  }
}

/** @returns undefined if a service token is to be used */
async function userLogin(
  { variables, accessToken }: VerifyOptions,
  { environment, rootUser }: RunningPlatform,
  host: string,
): Promise<Login | undefined> {
  const given = variables[TOKEN_VARIABLE];
  if (given) return byToken(given);
  // Staging admits root users only.
  if (environment !== "staging") return undefined;
  if (accessToken !== undefined && rootUser !== undefined) return byToken(await accessToken(rootUser, host));
  return { why: "staging admits root users only." };
}

/** As cloudflared sends it (developers.cloudflare.com/cloudflare-one/identity/authorization-cookie/application-token). */
const byToken = (token: string): Login => ({ headers: { "cf-access-token": token } });

function apiOf({ variables, signal }: VerifyOptions, until = signal): CloudflareApi {
  const { CLOUDFLARE_API_TOKEN: apiToken = "", CLOUDFLARE_BASE_URL: base } = variables;
  return new CloudflareApi(base || CLOUDFLARE_API, apiToken, until);
}

interface Proof {
  options: VerifyOptions;
  platform: RunningPlatform;
  slug: string;
  checks: readonly CheckResult[];
  add: Add;
  /** Step without which there is no tenant, if it failed. */
  missing: Pick<Step, "id" | "title"> | undefined;
  login: Login;
}

async function proveSteps({ options, platform, slug, checks, add, missing: first, login }: Proof): Promise<void> {
  const args = stepArgs(options, platform, slug, login);
  for (const step of STEPS) {
    const { signal } = options;
    if (signal.aborted) return;
    const isMissing = ({ id }: Step) =>
      step.needs.includes(id) && checks.find(({ check }) => check === id)?.state !== "pass";
    const missing = first ?? STEPS.find(isMissing);
    if (missing !== undefined) {
      add(step, skipped(errors.verify_step_without_earlier, { step: missing.title }));
      continue;
    }
    try {
      add(step, await step.run(args));
    } catch (error) {
      if (signal.aborted) return;
      add(step, failed(errors.verify_step_failed, { fault: asSentence(failureText(error)) }));
    }
  }
}

async function findTenant({ signal }: VerifyOptions, platform: RunningPlatform, slug: string): Promise<void> {
  const { dispatchUrl: DISPATCH_URL, invalidateToken: INVALIDATE_TOKEN } = platform;
  await dispatchWorker({ DISPATCH_URL, INVALIDATE_TOKEN }).health(slug, signal);
}

const stepArgs = (options: VerifyOptions, platform: RunningPlatform, slug: string, login: Login): StepArgs => ({
  platform,
  slug,
  login,
  aiGateway: () => aiGatewayOf(slug, platform, options),
  api: apiOf(options),
  wakeAfterSeconds: WAKE_AFTER_S,
  ...MOST_MS,
  signal: options.signal,
});
