import { AccountToken } from "@pulumi/cloudflare/accountToken.js";
import * as pulumi from "@pulumi/pulumi";

export interface AccountTokenArgs {
  accountId: pulumi.Input<string>;
  displayName: pulumi.Input<string>;
  /** The one permission group that it has. */
  permission: pulumi.Input<string>;
  /** What it may do that with. Default: the whole account. */
  resource?: (accountId: string) => string;
}

/** An API token of the account that may do one thing. */
export function accountToken(
  name: string,
  {
    accountId,
    displayName,
    permission,
    resource = (account) => `com.cloudflare.api.account.${account}`,
  }: AccountTokenArgs,
  opts: pulumi.CustomResourceOptions,
): AccountToken {
  return new AccountToken(
    name,
    {
      accountId,
      name: displayName,
      status: "active",
      policies: [
        {
          effect: "allow",
          permissionGroups: [{ id: permission }],
          resources: pulumi.output(accountId).apply((account) => JSON.stringify({ [resource(account)]: "*" })),
        },
      ],
    },
    opts,
  );
}
