/**
 * Ends the gateway, runs `meanwhile`, and starts the gateway again. Or joins a restart in progress, without `meanwhile`. Rejects when the start
 * fails.
 */
export type Restart = (meanwhile: () => Promise<void>) => Promise<unknown>;

/**
 * Does `work` while the gateway is stopped. The gateway is started again even when the work fails.
 *
 * @returns undefined when another restart was in progress, so that the work was not done
 * @throws as `work`
 */
export async function duringRestart<T>(restart: Restart, work: () => Promise<T>): Promise<{ result: T } | undefined> {
  let working: Promise<T> | undefined;
  const restarting = restart(async () => {
    working = work();
    await working.catch(() => {});
  });
  // Health snapshots report a failed start, which is retried.
  await restarting.catch(() => {});
  return working && { result: await working };
}
