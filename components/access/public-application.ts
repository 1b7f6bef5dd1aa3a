import { ZeroTrustAccessApplication } from "@pulumi/cloudflare/zeroTrustAccessApplication.js";
import type * as pulumi from "@pulumi/pulumi";

interface PublicApplicationArgs {
  accountId: pulumi.Input<string>;
  displayName: string;
  /** Host and path; sub-paths are public too. */
  address: pulumi.Input<string>;
  /** The platform's bypass policy. */
  policyId: pulumi.Input<string>;
}
/** Declares an Access application that is open to everyone. */
export function publicApplication(
  name: string,
  { accountId, displayName, address, policyId }: PublicApplicationArgs,
  opts: pulumi.CustomResourceOptions,
) {
  const policies = [{ id: policyId, precedence: 1 }];
  const args = { accountId, name: displayName, type: "self_hosted", domain: address, policies };
  return new ZeroTrustAccessApplication(name, args, opts);
}
