import type { EgressHost, PlatformHosts } from "../policy-types.ts";

export const PLATFORM: PlatformHosts = {
  domain: "agents.example.com",
  refused: ["api.cloudflare.com", "team.cloudflareaccess.com"],
};

export const EMPTY_PLATFORM: PlatformHosts = { domain: "platform.example", refused: [] };

/** Returns recorded traffic. Default: one request of today, which was allowed. */
export const recorded = (host: string, given: Partial<EgressHost> = {}): EgressHost => ({
  ...{ host, port: 443, program: null, requests: 1, refused: 0, sentBytes: 0, receivedBytes: 0, reason: null },
  ...{ firstAt: "2026-01-01T00:00:00.000Z", lastAt: "2026-01-01T00:00:00.000Z" },
  ...given,
});
