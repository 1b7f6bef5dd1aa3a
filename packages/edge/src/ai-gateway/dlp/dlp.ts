import type { DlpSettings } from "../../cloudflare/kinds/ai-gateways/settings.ts";
import { detectorsOf } from "./profiles.ts";

type Check = "REQUEST" | "RESPONSE";
type Action = "FLAG" | "BLOCK";

interface Finding {
  profile: { context: Record<string, never>; entry_ids: string[]; profile_id: string };
  policy_ids: string[];
  check: Check;
}

/** The header `cf-aig-dlp` (features/dlp/set-up-dlp). */
export interface DlpReport {
  findings: Finding[];
  action: Action;
}

interface Policy {
  /** Absent in settings without policies. */
  id?: string;
  action: Action;
  checks: readonly Check[];
  profiles: readonly string[];
}

/** Settings without policies are one policy for requests and responses. */
function policiesOf(settings: DlpSettings | undefined): Policy[] {
  if (settings?.enabled !== true) return [];
  if (!("policies" in settings)) {
    const { action, profiles } = settings as Extract<DlpSettings, { profiles: string[] }>;
    return [{ action, profiles, checks: ["REQUEST", "RESPONSE"] }];
  }
  const { policies } = settings as Extract<DlpSettings, { policies: unknown[] }>;
  return policies
    .filter(({ enabled }) => enabled)
    .map(({ id, action, check, profiles }) => ({ id, action, profiles, checks: check }));
}

export class Dlp {
  readonly #policies: readonly Policy[];

  constructor(settings: DlpSettings | undefined) {
    this.#policies = policiesOf(settings);
  }

  /** Whether a policy applies. A response is then buffered, streamed or not. */
  appliesTo(check: Check): boolean {
    return this.#policies.some(({ checks }) => checks.includes(check));
  }

  report(check: Check, texts: readonly string[]): DlpReport | undefined {
    const findings = new Map<string, Finding>();
    let action: Action = "FLAG";
    for (const policy of this.#policies.filter(({ checks }) => checks.includes(check))) {
      for (const profile of policy.profiles) {
        const entries = detectorsOf(profile).filter((detector) => texts.some((text) => detector.finds(text)));
        if (entries.length === 0) continue;
        if (policy.action === "BLOCK") action = "BLOCK";
        const finding = findings.get(profile) ?? {
          profile: { context: {}, entry_ids: entries.map(({ entry }) => entry), profile_id: profile },
          policy_ids: [],
          check,
        };
        if (policy.id !== undefined) finding.policy_ids.push(policy.id);
        findings.set(profile, finding);
      }
    }
    return findings.size === 0 ? undefined : { findings: [...findings.values()], action };
  }
}

export function mergeReports(...reports: readonly (DlpReport | undefined)[]): DlpReport | undefined {
  const found = reports.filter((report) => report !== undefined);
  if (found.length === 0) return undefined;
  return {
    findings: found.flatMap(({ findings }) => findings),
    action: found.some(({ action }) => action === "BLOCK") ? "BLOCK" : "FLAG",
  };
}
