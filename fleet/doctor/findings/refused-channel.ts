/** Channels whose hosts an egress policy refuses, such as one of a stack file, where no channel is known when it is checked. */
import { CHANNEL_KINDS } from "#domain/channels/kinds.ts";
import { planEgress, platformHosts } from "#domain/egress/bound.ts";
import { channelHosts, refusedHosts, textOfHost } from "#domain/egress/channel-hosts.ts";
import { compile } from "#domain/egress/decide.ts";
import type { EgressPolicy } from "#domain/egress/policy-types.ts";
import type { Conclusion, Evidence } from "../evidence.ts";

export function refusedChannels({ rows, platform }: Evidence): Conclusion[] {
  const about = "refused_channel";
  if ("fault" in rows) return [{ about, fault: `channels: ${rows.fault}` }];
  /** Returns what a policy refuses of a channel; undefined for nothing. */
  const refusal = (policy: EgressPolicy | null, kind: keyof typeof CHANNEL_KINDS): string | undefined => {
    if (policy?.mode !== "allowlist") return undefined;
    if (channelHosts({ kind }) === undefined) return "which uses no HTTP, so a policy with a list ends its connections";
    const hosts = refusedHosts(compile([policy], platformHosts(platform.domain)), { kind }).map(textOfHost);
    return hosts.length === 0 ? undefined : `which needs ${hosts.join(" and ")}`;
  };
  const findings = rows.found.channels.flatMap(({ id, kind, slug, plan, partner, partner_policy, tenant_policy }) => {
    const layers = [
      [`the plan ${plan}`, planEgress(plan)],
      [`the partner ${partner}`, partner_policy],
      ["its client", tenant_policy],
    ] as const;
    const why = layers.flatMap(([owner, policy]) => {
      const refused = refusal(policy, kind);
      return refused === undefined ? [] : `the egress policy of ${owner} refuses the channel, ${refused}`;
    });
    if (why.length === 0) return [];
    return {
      what: "channel",
      name: `${CHANNEL_KINDS[kind].label} of ${slug}`,
      identity: `refused_channel/${id}`,
      tenant: slug,
      why: why.join("; "),
      remedy: "add the hosts to that policy, or disconnect the channel",
    };
  });
  return [{ about, findings }];
}
