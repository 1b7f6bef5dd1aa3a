import type { TenantEnv } from "../../env.ts";
import { supervisorOf } from "../../supervisor-calls.ts";
import { KeyCache, type OwnKeys } from "./key-cache.ts";

const cache = new KeyCache();

export const forgetKeys = (): void => cache.forget();

export const ownKeysOf = (env: Pick<TenantEnv, "SUPERVISOR">, context: Pick<ExecutionContext, "waitUntil">): OwnKeys =>
  cache.keysOf(
    () => supervisorOf(env),
    (work) => context.waitUntil(work),
  );
