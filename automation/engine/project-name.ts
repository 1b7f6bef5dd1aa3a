/** The project of every stack of the platform (`Pulumi.yaml`): part of each resource's URN. */
export const PROJECT = "tenantry";
