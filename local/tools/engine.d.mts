/** The directory of the `pulumi` executable and its Node.js language host. */
export function engineDirectory(): string;

/** @throws Error with a remedy when the engine can be neither downloaded nor built */
export function ensureEngine(): Promise<void>;
