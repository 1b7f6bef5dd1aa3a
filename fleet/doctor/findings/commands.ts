/** Commands for operators that repair a stack. */
import { stackName } from "#domain/tenants/owner.ts";
import type { Evidence } from "../evidence.ts";

type PlatformOf = Pick<Evidence, "platform">;

/** The files of tenants' stacks are in `tenants/`, the file of the platform's stack is in the checkout. */
const isPlatform = (stack: string, { platform }: PlatformOf) => stackName(stack) === stackName(platform.stack);

/** @param command of the engine, such as `refresh` */
export const pulumiCommand = (command: string, stack: string, of: PlatformOf): string =>
  `npx pulumi${isPlatform(stack, of) ? "" : " -C tenants"} ${command} -s ${stackName(stack)}`;

export const upCommand = (stack: string, of: PlatformOf): string =>
  isPlatform(stack, of) ? `npx pulumi up -s ${stackName(stack)}` : `npm run fleet -- up ${stackName(stack)}`;

/** Removes a tenant that a stack declares. */
export const removalCommand = (stack: string, of: PlatformOf): string =>
  isPlatform(stack, of)
    ? `delete it from the settings and run ${upCommand(stack, of)}`
    : `run ${pulumiCommand("destroy --remove", stack, of)}`;
