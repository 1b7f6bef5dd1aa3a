/** Project of every stack (`Pulumi.yaml`), which is part of each URN. */
export const PROJECT = "tenantry";
