/** Meanings of the fields of egress policies. A key ends with the field, after the objects or operation that have it. */
const newSecret = {
  name: "Name of the secret. A secret with this name is replaced.",
  host: "The host whose HTTPS requests get the secret. An exact name, not an IP address.",
  header: "The header that has the secret. Default: `authorization`.",
  prefix: "Text of the header before the value, such as `Bearer `. Default: none.",
  value: "The secret. No response returns it. Spaces around it are removed.",
};

export const egressTexts: Readonly<Record<string, string>> = {
  "Egress.mode": "The strictest mode of the policies, which holds.",
  "Egress.layers": "The policies, from the plan to the tenant.",
  "layers.plan": "Default of the billing plan.",
  "layers.platform": "Bound of the platform; null if it states none.",
  "layers.partner": "Policy of the client's partner; null if it states none.",
  "layers.tenant": "Policy of the tenant; null if it states none.",
  "Egress.state":
    "`none`: partner, tenant and secrets state nothing. `pushing`: the tenant does not have the present policies and secrets yet. `push_failed`: they could not be sent. `active`: the tenant has them.",
  "Egress.last_error": "Why the last push failed, and what to do; null without a fault.",
  "Egress.pushed_at": "When the tenant last received policies and secrets; null if never.",
  would_refuse: "Recorded traffic that was allowed and that the policy would refuse. Null unless `preview` is true.",
  preview: "`true`: stores nothing, and returns what the policy would refuse of the recorded traffic.",
  policy: "The policy. Null states nothing.",
  "policy.mode":
    "`open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.",
  "policy.entries":
    "At most 1,000 hosts that the mode `allowlist` allows; other modes ignore them. An entry can be a text: `host [ports] [METHODS]`, such as `api.example.com 443 GET,HEAD`. Default: none.",
  "policy.entries.host":
    "A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address.",
  "policy.entries.ports": "Ports of the host. Default: 80 and 443.",
  "policy.entries.methods": "HTTP methods. Default: all.",
  "EgressHosts.mode": "The mode that the tenant's Worker applies.",
  restart_required:
    "Whether the running container has network access that the policy closes. A restart of the instance closes it.",
  gaps: "What the policy demands and the running container does not provide: `http`, `https` or `ports` are not intercepted, or its image lacks the `certificate`.",
  "EgressHosts.data": "The hosts by their last use, the newest first.",
  "EgressTraffic.host": "The host, or an IP address.",
  "EgressTraffic.port": "Port of the host.",
  "EgressTraffic.program": "Product of the `User-Agent`, as the program states it; null for none.",
  "EgressTraffic.requests": "Number of requests.",
  "EgressTraffic.refused": "Number of these that were refused.",
  "EgressTraffic.sent_bytes": "Bytes of request bodies.",
  "EgressTraffic.received_bytes": "Bytes of response bodies.",
  "EgressTraffic.first_at": "When the first request was sent.",
  "EgressTraffic.last_at": "When the last request was sent.",
  "EgressTraffic.reason": "Why the last refused request was refused; null for none.",
  "EgressLoss.host": "The host, or an IP address.",
  "EgressLoss.port": "Port of the host.",
  "EgressLoss.program": "Product of the `User-Agent`, as the program states it; null for none.",
  "EgressLoss.requests": "Number of requests that were allowed.",
  "EgressLoss.last_at": "When the last request was sent.",
  "EgressLoss.reason": "Why the policy would refuse them.",
  "createEgressAllowlist.store": "Whether the policy becomes the tenant's. Default: it is only returned.",
  "createEgressAllowlist.stored": "The policies of the instance after the change; null unless `store` is true.",
  "EgressSecret.id": "ID of the secret. Another value has another ID.",
  "EgressSecret.name": "Name of the secret, unique in the instance.",
  "EgressSecret.host": "The host whose requests get the secret.",
  "EgressSecret.header": "The header that has the secret. It replaces the container's header of this name.",
  "EgressSecret.created_by": "E-mail address of the user who stored it.",
  ...Object.fromEntries(
    ["createEgressSecret", "createConsoleEgressSecret"].flatMap((operation) =>
      Object.entries(newSecret).map(([field, text]) => [`${operation}.${field}`, text]),
    ),
  ),
  secret_id: "ID of the egress secret.",
};
