import * as z from "zod";
import {
  deleteEndedServiceTokens,
  deleteLostServiceTokens,
  type KnownServiceTokens,
  knownServiceTokens,
  queueExpiryMails,
} from "#database/people/service-tokens.ts";
import { requestWork } from "#database/work/queue-state.ts";
import { hostnameOfToken } from "#domain/access/service-token.ts";
import type { Environment } from "#domain/environment.ts";
import { outsideErrors } from "#domain/errors/service/automation.ts";
import { slugOfHostname } from "#domain/names/hostnames.ts";
import type { AccessToken, AccessTokens } from "../outside/access-tokens.ts";
import { defineTask, type Run, type Task, TaskError } from "../task.ts";

/** Longer than a request that creates a token, whose row exists only afterwards. */
const SETTLED_MINUTES = 15;
/** Access's logins last a month at most, and a revoked token must be refused until then. */
const REMEMBERED_DAYS = 32;
/** When its user gets a mail. */
const ANNOUNCED_DAYS = 7;

export interface ServiceTokensOptions {
  environment: Environment;
  domain: string;
  tokens: AccessTokens;
}

/**
 * Announces tokens that will expire. Deletes at Access the environment's tokens that have ended or that no row has, because a request to create one was interrupted; and
 * rows without a token, which were restored or whose token was deleted by hand.
 */
export function reconcileServiceTokensTask({ environment, domain, tokens }: ServiceTokensOptions): Task {
  return defineTask("reconcile_service_tokens", z.unknown(), async (_payload, run) => {
    await queueExpiryMails(run.db, ANNOUNCED_DAYS);
    // Before the list, so that every settled row's token is in it.
    const known = await knownServiceTokens(run.db, SETTLED_MINUTES);
    const listed = await tokens.list(run.signal);
    if (listed === undefined) {
      // Until the platform is upgraded, its token has no such right, and it has no service tokens.
      if (known.valid.size + known.ended.size > 0) throw new TaskError(outsideErrors.service_tokens_right_missing);
      return run.log("warn", "service_tokens_right_missing");
    }
    const isOurs = ({ name }: AccessToken) =>
      slugOfHostname(hostnameOfToken(name) ?? "", environment, domain) !== undefined;
    const over = listed.filter(isOurs).filter((token) => isOver(token, known, Date.now()));
    const deleted = await deleteTokens(over, tokens, run);
    const present = new Set(listed.map(({ id }) => id));
    const lost = [...known.settled].filter((id) => !present.has(id));
    await deleteLostServiceTokens(run.db, lost);
    await deleteEndedServiceTokens(run.db, REMEMBERED_DAYS);
    const counts = { deleted, in_use: over.length - deleted, lost: lost.length };
    if (Object.values(counts).some((count) => count > 0)) run.log("info", "service_tokens_reconciled", counts);
  });
}

function isOver({ id, createdAt }: AccessToken, { valid, ended }: KnownServiceTokens, now: number): boolean {
  if (valid.has(id)) return false;
  return ended.has(id) || (createdAt !== undefined && now - createdAt > SETTLED_MINUTES * 60_000);
}

/** @returns the number of deleted ones */
async function deleteTokens(over: readonly AccessToken[], tokens: AccessTokens, { signal }: Run): Promise<number> {
  let deleted = 0;
  for (const { id } of over) if (await tokens.delete(id, signal)) deleted += 1;
  return deleted;
}

/** Queues the task. */
export const requestServiceTokens = ({ db }: Pick<Run, "db">, schema: string): Promise<boolean> =>
  requestWork(db, schema, {
    task: "reconcile_service_tokens",
    payload: {},
    key: "service_tokens",
    queue: "service_tokens",
  });
