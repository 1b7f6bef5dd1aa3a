import type { CheckState, Outcome } from "./check.ts";

export interface CheckResult extends Outcome {
  check: string;
  title: string;
}

export interface PreflightReport {
  command: "preflight";
  stack: string;
  checks: CheckResult[];
}

export const preflightExitCode = ({ checks }: Pick<PreflightReport, "checks">): number =>
  checks.some(({ state }) => state === "fail") ? 1 : 0;

/** Returns the result without the texts that no output may have. */
export function withoutSecrets(result: CheckResult, secrets: readonly string[]): CheckResult {
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
  return { ...result, found: clean(result.found), remedy: result.remedy === null ? null : clean(result.remedy) };
}

export const countOf = (checks: readonly CheckResult[], state: CheckState): number =>
  checks.filter((check) => check.state === state).length;
