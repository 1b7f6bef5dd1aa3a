/** The process's environment when its first test file began. */
export const firstEnvironment: Readonly<NodeJS.ProcessEnv> = { ...process.env };
