import * as pulumi from "@pulumi/pulumi";

/** The stack that runs, as owners are written: `{project}/{stack}`. */
export const currentStack = (): string => `${pulumi.getProject()}/${pulumi.getStack()}`;

/** The same as other stacks refer to it: `{organization}/{project}/{stack}`. */
export const qualifiedStack = (): string => `${pulumi.getOrganization()}/${currentStack()}`;
