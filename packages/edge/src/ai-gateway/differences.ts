import { lenient, missing, type StandIn } from "@tenantry/std/difference";

export const aiGatewayDifferences: StandIn = {
  title: "AI gateway",
  differs: [
    missing("The providers `openai`, `anthropic` and `compat`, at `AI_GATEWAY_BASE/v1/ACCOUNT/GATEWAY/PROVIDER/…`."),
    missing("No retries, guardrails or dynamic routes. No stored keys: a request that names one is refused."),
    lenient(
      "Without keys of a provider, a mock answers every model, and needs no key.",
      "The edge runs offline; with keys, the provider answers.",
    ),
  ],
};
