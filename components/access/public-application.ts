import { ZeroTrustAccessApplication } from "@pulumi/cloudflare/zeroTrustAccessApplication.js";
import type * as pulumi from "@pulumi/pulumi";

export interface PublicApplicationArgs {
  accountId: pulumi.Input<string>;
  displayName: string;
  /** Host and path; what lies below it is public too. */
  address: pulumi.Input<string>;
  /** The platform's bypass policy. */
  policyId: pulumi.Input<string>;
}

/** An Access application that anyone may pass without logging in. */
export function publicApplication(name: string, args: PublicApplicationArgs, opts: pulumi.CustomResourceOptions) {
  const { accountId, displayName, address, policyId } = args;
  return new ZeroTrustAccessApplication(
    name,
    {
      accountId,
      name: displayName,
      type: "self_hosted",
      domain: address,
      policies: [{ id: policyId, precedence: 1 }],
    },
    opts,
  );
}
