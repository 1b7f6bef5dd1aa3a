import { AccountToken } from "@pulumi/cloudflare/accountToken.js";
import * as pulumi from "@pulumi/pulumi";

interface AccountTokenArgs {
  accountId: pulumi.Input<string>;
  displayName: pulumi.Input<string>;
  permission: pulumi.Input<string>;
  /** Resource that the permission covers. Default: the account. */
  resource?: (accountId: string) => string;
}

/** Declares an API token of the account with one permission group. */
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
