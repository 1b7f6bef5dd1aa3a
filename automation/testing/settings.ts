/** Environment of a service on a test's database. Other services are at a closed port. */
import type { TestDatabase } from "#database/testing/test-database.ts";

const NOWHERE = "127.0.0.1:9";

export function testVariables(
  database: TestDatabase,
  changed: Readonly<Record<string, string | undefined>> = {},
): Record<string, string | undefined> {
  return {
    ENVIRONMENT: "production",
    DATABASE_URL: database.urlOf("service"),
    SMTP_URL: `smtp://${NOWHERE}`,
    MAIL_FROM: "Tenantry <platform@tenantry.example>",
    DASHBOARD_URL: "https://dash.agents.example.com",
    PLATFORM_DOMAIN: "agents.example.com",
    DISPATCH_URL: `http://${NOWHERE}`,
    INVALIDATE_TOKEN: "invalidate-token-of-a-test",
    CLOUDFLARE_API_URL: `http://${NOWHERE}/client/v4`,
    CLOUDFLARE_API_TOKEN: "cloudflare-token-of-a-test",
    CLOUDFLARE_ACCOUNT_ID: "0123456789abcdef0123456789abcdef",
    HEALTH_PORT: "0",
    ...changed,
  };
}
