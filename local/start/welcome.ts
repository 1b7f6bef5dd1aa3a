import type { EdgeFile } from "../state/edge-file.ts";
import { DEFAULT_PORT, DEFAULT_STATE, type Options } from "./options.ts";

export function welcomeText(edge: EdgeFile, dashboard: string, options: Options): string {
  const width = Math.max(...edge.tenants.map(({ slug }) => slug.length), "Dashboard".length) + 2;
  const emails = Math.max(...edge.users.map(({ email }) => email.length)) + 2;
  const state = options.state === DEFAULT_STATE ? "" : ` --state ${options.state}`;
  const again = `npm start${state || options.port !== DEFAULT_PORT ? " --" : ""}${state}${options.port === DEFAULT_PORT ? "" : ` --port ${options.port}`}`;
  const example = edge.tenants[0];
  const user = edge.users.find(({ tenant }) => tenant === example?.slug);
  return [
    "",
    "  Tenantry runs. Open in a browser:",
    "",
    `    ${"Dashboard".padEnd(width)}http://${dashboard}:${edge.port}`,
    ...edge.tenants.map(({ slug, url }) => `    ${slug.padEnd(width)}${url}`),
    "",
    `  Mail is caught at ${edge.mail.api} (any user; password: apiToken of edge.json).`,
    `  The automation service sends it and updates members; its health: ${edge.automation}/healthz`,
    "",
    "  Log in as (without a password; the local login asks only for the address):",
    "",
    ...edge.users.map(
      ({ email, role, tenant }) =>
        `    ${email.padEnd(emails)}${role}${tenant === null ? ", everywhere" : ` of ${tenant}`}`,
    ),
    "",
    ...(example === undefined
      ? []
      : [
          "  A tenant's health, and a token for its host:",
          "",
          `    curl ${example.url}/api/health`,
          `    npm run token --${state} --email ${user?.email ?? "root@tenantry.example"} --host ${new URL(example.url).hostname}`,
          "",
        ]),
    `  After a change of Pulumi.local.yaml: Ctrl-C, then ${again}`,
    `  Or while it runs: npm run pulumi -- preview -s local   (then up -s local)`,
    `  Addresses and tokens for scripts: ${options.state}/edge.json`,
    "",
    "  Ctrl-C stops everything and keeps the data.",
    "",
  ].join("\n");
}
