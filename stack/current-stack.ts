import * as pulumi from "@pulumi/pulumi";

/** The current stack in the form of owners: `{project}/{stack}`. */
export const currentStack = (): string => `${pulumi.getProject()}/${pulumi.getStack()}`;

/** The current stack in the form of references: `{organization}/{project}/{stack}`. */
export const qualifiedStack = (): string => `${pulumi.getOrganization()}/${currentStack()}`;
