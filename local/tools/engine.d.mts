/** The directory of the `pulumi` executable and its Node.js language host. */
export function engineDirectory(): string;

/** @throws Error naming what to do when the engine can neither be downloaded nor built */
export function ensureEngine(): Promise<void>;
