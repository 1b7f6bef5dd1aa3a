/** Commands that repair a stack, as an operator types them. */
import { stackName } from "#domain/tenants/owner.ts";
import type { Evidence } from "../evidence.ts";

type Of = Pick<Evidence, "platform">;

/** Stacks of tenants have their files in `tenants/`, the platform's stack has its own in the checkout. */
const isPlatform = (stack: string, { platform }: Of) => stackName(stack) === stackName(platform.stack);

/** @param command of the engine, such as `refresh` */
export const pulumiCommand = (command: string, stack: string, of: Of): string =>
  `npx pulumi${isPlatform(stack, of) ? "" : " -C tenants"} ${command} -s ${stackName(stack)}`;

export const upCommand = (stack: string, of: Of): string =>
  isPlatform(stack, of) ? `npx pulumi up -s ${stackName(stack)}` : `npm run fleet -- up ${stackName(stack)}`;

/** Removes a tenant that a stack declares. */
export const removalCommand = (stack: string, of: Of): string =>
  isPlatform(stack, of)
    ? `take it out of the settings and ${upCommand(stack, of)}`
    : pulumiCommand("destroy --remove", stack, of);
