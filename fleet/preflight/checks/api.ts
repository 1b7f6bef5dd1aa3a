/** The API and its token. All other checks of the account need them. */

import * as z from "zod";
import { preflightApiErrors as errors } from "#domain/errors/commands/fleet-preflight.ts";
import { type Check, failed, type Outcome, passed, warned } from "../check.ts";
import { type Answer, faultOf, isSuccess, networkFault } from "../cloudflare.ts";
import type { Requirements } from "../requirements.ts";

const INVALID_TOKEN = 1000;
/** Tokens whose time of issue differs more from the verifier's time are refused. */
const MOST_DIFFERENCE_S = 60;
const EXPIRY_WARNING_MS = 30 * 24 * 60 * 60 * 1000;

const verified = z.object({ status: z.string(), expires_on: z.string().optional() });

export const apiChecks: readonly Check[] = [
  { id: "api", title: "Cloudflare's API", run: checkApi },
  { id: "token", title: "API token", run: checkToken },
];

export const clockChecks: readonly Check[] = [{ id: "clock", title: "Clock", run: checkClock }];

async function checkApi({ api, variables }: Requirements): Promise<Outcome> {
  if (!variables.CLOUDFLARE_API_TOKEN) return failed(errors.preflight_token_not_set);
  const { host } = api;
  let answer: Answer;
  try {
    answer = await api.get("/user/tokens/verify");
  } catch (error) {
    return failed(errors.preflight_api_unreachable, { host, fault: networkFault(error) });
  }
  if (answer.envelope !== undefined) return passed(host);
  const { status, type } = answer;
  return failed(errors.preflight_api_not_cloudflare, { host, status, type: type || "no content type" });
}

/** A token belongs to a user or to the account, and only its owner's operation verifies it. */
async function checkToken({ api, settings }: Requirements): Promise<Outcome> {
  const ofUser = await api.get("/user/tokens/verify");
  const isOther = ofUser.envelope?.errors.some(({ code }) => code === INVALID_TOKEN) ?? false;
  const answer =
    isSuccess(ofUser) || !isOther ? ofUser : await api.get(`/accounts/${settings.platform.accountId}/tokens/verify`);
  if (!isSuccess(answer)) return failed(errors.preflight_token_invalid, { fault: faultOf(answer) });
  const { status, expires_on: time } = verified.parse(answer.envelope?.result);
  if (status !== "active") return failed(errors.preflight_token_invalid, { fault: `its status is ${status}` });
  if (time !== undefined && Date.parse(time) - Date.now() < EXPIRY_WARNING_MS)
    return warned(errors.preflight_token_expires, { time });
  return passed(answer === ofUser ? "of a user" : "of the account");
}

async function checkClock({ api }: Requirements): Promise<Outcome> {
  const before = Date.now();
  const { date } = await api.get("/user/tokens/verify");
  const after = Date.now();
  if (Number.isNaN(date)) return warned(errors.preflight_clock_unknown);
  // The header has whole seconds, and was written between both readings.
  const difference = Math.round((before + after) / 2 - (date + 500)) / 1000;
  const seconds = Math.abs(Math.round(difference));
  if (seconds <= MOST_DIFFERENCE_S) return passed(`differs by ${seconds} s`);
  return failed(errors.preflight_clock_differs, { seconds, direction: difference > 0 ? "ahead of" : "behind" });
}
