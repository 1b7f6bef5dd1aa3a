/** Commands of the pages that `pages.test.ts` does not run. `commands.test.ts` checks that they exist. */

interface Skipped {
  /** The command begins with it. */
  command: string;
  reason: string;
}

/** By page, in `docs/`. */
export const SKIPPED: Readonly<Record<string, readonly Skipped[]>> = {
  "how-to/call-the-api.md": [
    { command: "cloudflared", reason: "needs Cloudflare Access; the next block logs in at the local edge" },
    {
      command: 'export TOKEN="$(cloudflared',
      reason: "needs Cloudflare Access; the next block logs in at the local edge",
    },
  ],
  "how-to/delete-a-customer.md": [
    { command: 'curl "$DASHBOARD/client/CLIENT_ID/erase"', reason: "automation/jobs/deletion.test.ts erases a client" },
    {
      command: 'curl -X DELETE "$DASHBOARD/client/instance/INSTANCE_ID?discard_state',
      reason: "is for a backup that failed",
    },
  ],
  "how-to/find-and-repair-faults.md": [
    { command: "npm run fleet -- doctor prod --fix", reason: "tests/fleet/doctor.test.ts runs it" },
  ],
  "how-to/rotate-secrets.md": [
    ...["rotate database-logins", "rotate live-token", "rotate provider-key"].map((rotation) => ({
      command: `npm run fleet -- ${rotation}`,
      reason: "tests/fleet/rotation.test.ts runs it",
    })),
    {
      command: "npm run fleet -- rotate passphrase",
      reason: "tests/fleet/rotation.test.ts runs it: all later pages would need the new one",
    },
  ],
  "how-to/store-states.md": [
    { command: "npx wrangler", reason: "Wrangler needs a Cloudflare account" },
    { command: "export AWS_ACCESS_KEY_ID", reason: "needs a bucket in R2" },
    { command: "export PULUMI_BACKEND_URL='s3:", reason: "needs a bucket in R2" },
  ],
  "how-to/upgrade.md": [
    { command: "npm ci", reason: "the test's clone shares the packages of the checkout" },
    { command: "npm run fleet -- doctor staging prod", reason: "the page runs the doctor again" },
    { command: "npm run fleet -- dump", reason: "restore-the-database.md runs it" },
    { command: "npm run fleet -- verify", reason: "deploy.md runs it" },
  ],
  "how-to/use-openclaw-programs.md": [{ command: "openclaw tui", reason: "tests/openclaw/clients.test.ts runs it" }],
};

export const isSkipped = (page: string, command: string): boolean =>
  (SKIPPED[page] ?? []).some((skipped) => command.startsWith(skipped.command));
