import type { ResourceValidationPolicy } from "@pulumi/policy";
import { errorText } from "#domain/errors/catalogue.ts";
import { policyErrors } from "#domain/errors/stack/policies.ts";
import { LATER } from "../known.ts";
import { AI_GATEWAY, readAiGateway } from "../resources.ts";

/** Every AI gateway, pooled or dedicated, flags or blocks personal data that at least one profile finds. */
export const piiFilter: ResourceValidationPolicy = {
  name: "pii-filter",
  description: "Every AI gateway filters personal data in provider traffic.",
  enforcementLevel: "mandatory",
  validateResource: (resource, report) => {
    if (resource.type !== AI_GATEWAY) return;
    const { name } = resource;
    const { dlp } = readAiGateway(resource);
    if (dlp === LATER) return;
    if (dlp === undefined || (dlp.enabled !== true && dlp.enabled !== LATER)) {
      report(errorText(policyErrors.ai_gateway_without_filter, { name }));
      return;
    }
    if (dlp.profiles !== LATER && dlp.profiles.length === 0) {
      report(errorText(policyErrors.ai_gateway_without_profile, { name }));
    }
    if (dlp.action !== LATER && dlp.action !== "FLAG" && dlp.action !== "BLOCK") {
      report(errorText(policyErrors.ai_gateway_ignores_findings, { name }));
    }
  },
};
