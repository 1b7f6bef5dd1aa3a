/** Checks everything that the first `pulumi up` of a platform needs. Changes nothing that it does not undo. */
import { asSentence, CatalogueError } from "#domain/errors/catalogue-error.ts";
import { preflightErrors } from "#domain/errors/commands/fleet-preflight.ts";
import type { PlatformOptions } from "../options.ts";
import { eachAtMost } from "../runs/bounded.ts";
import { type Check, failed, type Outcome, skipped } from "./check.ts";
import { apiChecks, cloudflareChecks, otherChecks } from "./checks.ts";
import { type CheckResult, type PreflightReport, withoutSecrets } from "./report.ts";
import { type Requirements, readRequirements, secretsOf } from "./requirements.ts";

/** Concurrent checks: far below the API's limit of 1,200 requests in five minutes. */
const CONCURRENT = 8;

/** @throws Error if the stack's settings cannot be read */
export async function preflight(options: PlatformOptions): Promise<PreflightReport> {
  const { stack, say } = options;
  const requirements = await readRequirements(options);
  const secrets = secretsOf(requirements);
  const finish = (check: Check, outcome: Outcome): CheckResult => {
    const result = withoutSecrets({ check: check.id, title: check.title, ...outcome }, secrets);
    say(`${result.state} ${check.title}`);
    return result;
  };
  const runAll = (checks: readonly Check[]) =>
    eachAtMost(CONCURRENT, checks, async (check) => finish(check, await runCheck(check, requirements)));

  // The others would all fail for the same reason.
  const api: CheckResult[] = [];
  for (const check of apiChecks) {
    const outcome = api.some(({ state }) => state === "fail") ? withoutApi() : await runCheck(check, requirements);
    api.push(finish(check, outcome));
  }
  const isUsable = api.every(({ state }) => state !== "fail");
  const cloudflare = cloudflareChecks(requirements);
  const checks = isUsable
    ? await runAll([...cloudflare, ...otherChecks])
    : [...cloudflare.map((check) => finish(check, withoutApi())), ...(await runAll(otherChecks))];
  return { command: "preflight", stack, checks: [...api, ...checks] };
}

const withoutApi = () => skipped(preflightErrors.preflight_check_without_api);

async function runCheck(check: Check, requirements: Requirements): Promise<Outcome> {
  try {
    requirements.signal.throwIfAborted();
    return await check.run(requirements);
  } catch (error) {
    requirements.signal.throwIfAborted();
    const fault = error instanceof CatalogueError ? error.message : asSentence((error as Error).message);
    return failed(preflightErrors.preflight_check_failed, { fault });
  }
}
