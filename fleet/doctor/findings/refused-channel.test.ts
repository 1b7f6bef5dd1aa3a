import { expect, test } from "vitest";
import type { ChannelPolicies } from "#database/egress/channel-policies.ts";
import type { EgressPolicy } from "#domain/egress/policy-types.ts";
import { evidence, rowsWith } from "../testing/evidence.ts";
import { refusedChannels } from "./refused-channel.ts";

const listing = (...hosts: string[]): EgressPolicy => ({ mode: "allowlist", entries: hosts.map((host) => ({ host })) });
const channel = (more: Partial<ChannelPolicies>): ChannelPolicies => ({
  ...{ id: "4d3e2f1a-0b9c-4d8e-9f7a-6b5c4d3e2f1a", kind: "telegram", slug: "acme", plan: "basic" },
  ...{ partner: "globex", partner_policy: null, tenant_policy: null },
  ...more,
});
const findingsOf = (...channels: ChannelPolicies[]) =>
  refusedChannels(evidence({ rows: rowsWith({ channels }) })).flatMap((one) =>
    "findings" in one ? one.findings.map(({ name, why }) => `${name}: ${why}`) : one.fault,
  );

test("names a policy that refuses a channel, and the hosts that it lacks", () => {
  const owner = "the egress policy of";
  expect(findingsOf(channel({ tenant_policy: listing("example.org") }))).toEqual([
    `Telegram of acme: ${owner} its client refuses the channel, which needs api.telegram.org`,
  ]);
  expect(findingsOf(channel({ kind: "slack", partner_policy: listing("slack.com") }))).toEqual([
    `Slack of acme: ${owner} the partner globex refuses the channel, which needs files.slack.com`,
  ]);
  const lists = { partner_policy: listing("example.org"), tenant_policy: listing("example.org") };
  expect(findingsOf(channel(lists))).toEqual([expect.stringMatching(/partner globex .*; .* its client /)]);
  expect(findingsOf(channel({ kind: "irc", tenant_policy: listing("irc.example.org") }))).toEqual([
    `IRC of acme: ${owner} its client refuses the channel, which uses no HTTP, so a policy with a list ends its connections`,
  ]);
});

test("reports no channel whose hosts are listed or unknown, or that a policy only records", () => {
  expect(
    findingsOf(
      channel({ tenant_policy: listing("*.telegram.org"), partner_policy: { mode: "audit", entries: [] } }),
      channel({ kind: "matrix", tenant_policy: listing("example.org") }),
    ),
  ).toEqual([]);
});
