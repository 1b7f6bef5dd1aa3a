import * as z from "zod";

const MOST_PLATFORMS = 50;
const STACK_NAME = /^[\w.-]+(?:\/[\w.-]+){0,2}$/;
const STACK_NAME_FORM = "stack, project/stack or organization/project/stack";

const stackName = z.string().regex(STACK_NAME, `use ${STACK_NAME_FORM}`);

export const platformStack = z
  .union(
    [
      stackName,
      z
        .array(stackName)
        .min(1, "is an empty list; name a stack")
        .max(MOST_PLATFORMS, `names more than ${MOST_PLATFORMS} stacks; name those alone that have room`)
        .refine((names) => new Set(names).size === names.length, "names a stack twice; remove one of the two"),
    ],
    { error: `use ${STACK_NAME_FORM}, or a list of 1 to ${MOST_PLATFORMS} such names` },
  )
  .describe(
    `Stack that holds the platform of this stack's tenants; or up to ${MOST_PLATFORMS} such stacks in the order of preference: all of its tenants are placed at the first that has room, and stay there.`,
  );
