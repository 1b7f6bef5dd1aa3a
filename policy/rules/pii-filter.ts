import type { ResourceValidationPolicy } from "@pulumi/policy";
import { LATER } from "../known.ts";
import { AI_GATEWAY, readAiGateway } from "../resources.ts";

/** Every AI gateway, pooled or dedicated, flags or blocks personal data that at least one profile finds. */
export const piiFilter: ResourceValidationPolicy = {
  name: "pii-filter",
  description: "Every AI gateway filters personal data in provider traffic.",
  enforcementLevel: "mandatory",
  validateResource: (resource, report) => {
    if (resource.type !== AI_GATEWAY) return;
    const { dlp } = readAiGateway(resource);
    if (dlp === LATER) return;
    if (dlp === undefined || (dlp.enabled !== true && dlp.enabled !== LATER)) {
      report(`The AI gateway ${resource.name} filters nothing. Enable dlp.`);
      return;
    }
    if (dlp.profiles !== LATER && dlp.profiles.length === 0) {
      report(`The AI gateway ${resource.name} has no filter profile. Add one to dlp.profiles.`);
    }
    if (dlp.action !== LATER && dlp.action !== "FLAG" && dlp.action !== "BLOCK") {
      report(`The AI gateway ${resource.name} ignores what it finds. Set dlp.action to FLAG or BLOCK.`);
    }
  },
};
