import { ZeroTrustAccessApplication } from "@pulumi/cloudflare/zeroTrustAccessApplication.js";
import type * as pulumi from "@pulumi/pulumi";

interface PublicApplicationArgs {
  accountId: pulumi.Input<string>;
  displayName: string;
  address: pulumi.Input<string>;
  policyId: pulumi.Input<string>;
}
export function publicApplication(
  name: string,
  { accountId, displayName, address, policyId }: PublicApplicationArgs,
  opts: pulumi.CustomResourceOptions,
) {
  const policies = [{ id: policyId, precedence: 1 }];
  const args = { accountId, name: displayName, type: "self_hosted", domain: address, policies };
  return new ZeroTrustAccessApplication(name, args, opts);
}
