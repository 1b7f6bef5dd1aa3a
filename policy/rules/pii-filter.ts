import type { ResourceValidationPolicy } from "@pulumi/policy";
import { LATER } from "../known.ts";
import { AI_GATEWAY, readAiGateway } from "../resources.ts";

/**
 * Every AI gateway looks for personal data in what goes to providers and comes from them (spec: "a shared AI gateway that also performs PII filtering on
 * provider traffic"), a tenant's own too: it flags or blocks what at least one profile finds.
 */
export const piiFilter: ResourceValidationPolicy = {
  name: "pii-filter",
  description: "Every AI gateway filters personal data out of the traffic with providers.",
  enforcementLevel: "mandatory",
  validateResource: (resource, report) => {
    if (resource.type !== AI_GATEWAY) return;
    const { dlp } = readAiGateway(resource);
    if (dlp === LATER) return;
    if (dlp === undefined || (dlp.enabled !== true && dlp.enabled !== LATER)) {
      report(`The AI gateway ${resource.name} filters nothing: enable dlp.`);
      return;
    }
    if (dlp.profiles !== LATER && dlp.profiles.length === 0) {
      report(`The AI gateway ${resource.name} filters by no profile: name one in dlp.profiles.`);
    }
    if (dlp.action !== LATER && dlp.action !== "FLAG" && dlp.action !== "BLOCK") {
      report(`The AI gateway ${resource.name} does nothing with what it finds: FLAG or BLOCK it.`);
    }
  },
};
