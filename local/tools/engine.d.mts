/** The directory of the `pulumi` executable and its Node.js language host. */
export function engineDirectory(): string;

/** The directory of versions, states and plugins: `$PULUMI_HOME`. */
export function engineHome(): string;

/** @throws Error with a remedy when the engine can be neither downloaded nor built */
export function ensureEngine(): Promise<void>;
