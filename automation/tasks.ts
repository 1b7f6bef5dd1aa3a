import { queueSchema } from "#database/work/queue-schema.ts";
import { advanceCreditsTask } from "./billing/credits.ts";
import { issueInvoicesTask } from "./billing/invoices.ts";
import { rollUpUsageTask } from "./billing/roll-up.ts";
import { AccountCapacity, countCapacityTask } from "./capacity/capacity.ts";
import { keepBundleTask } from "./catalogue/bundles.ts";
import { readVersionsTask } from "./catalogue/reported.ts";
import { checkChannelsTask } from "./channels/checks.ts";
import { deadlinesTask } from "./deadlines/deadlines.ts";
import { EngineRuns } from "./engine/runs.ts";
import { eventTask } from "./events/push.ts";
import { jobTask } from "./jobs/job.ts";
import type { ErasingServices } from "./jobs/kind.ts";
import { mailTask } from "./mail/mail.ts";
import { reconcileDashboardUsersTask } from "./members/dashboard-users.ts";
import { reconcileMembersTask } from "./members/reconcile.ts";
import { reconcileServiceTokensTask } from "./members/service-tokens.ts";
import { reconcileAllTask } from "./members/sweep.ts";
import { distributeTask } from "./notifications/distribute.ts";
import { webhookPoster } from "./notifications/post-webhook.ts";
import { sweepNotificationsTask } from "./notifications/sweep.ts";
import { webhookTask } from "./notifications/webhook.ts";
import { AccessGroups } from "./outside/access-groups.ts";
import { AccessTokens } from "./outside/access-tokens.ts";
import { BackupBuckets } from "./outside/backup-buckets.ts";
import { channelVendors } from "./outside/channel-vendors.ts";
import { dispatchWorker } from "./outside/dispatch-worker.ts";
import { notificationSigner } from "./outside/notification-signer.ts";
import { RemainingResources } from "./outside/remaining-resources.ts";
import { pollHealthTask, pruneHealthTask } from "./polling/task.ts";
import { rolloutsTask } from "./rollouts/rollouts.ts";
import type { Settings } from "./settings.ts";
import { TenantStacks } from "./stacks/tenant-stacks.ts";
import type { Task } from "./task.ts";

/** Schedule in UTC. Each entry runs once, on any replica. Tasks that call all tenants have a queue of their own, so that runs do not overlap. */
export const CRONTAB = `
  * * * * * deadlines ?jobKey=deadlines&max=3
  */15 * * * * reconcile_all ?jobKey=reconcile_all&queue=reconcile_all&max=3
  * * * * * poll_health ?jobKey=poll_health&queue=poll_health&max=1
  20 * * * * roll_up_usage ?jobKey=roll_up_usage&max=5
  */5 * * * * advance_credits ?jobKey=advance_credits&max=3
  0 14 1 * * issue_invoices ?jobKey=issue_invoices&max=12
  * * * * * rollouts ?jobKey=rollouts&queue=rollouts&max=3
  11 * * * * read_versions ?jobKey=read_versions&queue=read_versions&max=1
  7,22,37,52 * * * * count_capacity ?jobKey=count_capacity&queue=count_capacity&max=3
  33 * * * * check_channels ?jobKey=check_channels&queue=check_channels&max=1
  */5 * * * * sweep_notifications ?jobKey=sweep_notifications&queue=sweep_notifications&max=3
  40 3 * * * prune_health ?jobKey=prune_health&max=3
`;

/** `operations` run the engine and have a limit of their own. */
export function tasksOf(settings: Settings): { short: Task[]; operations: Task[] } {
  const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = settings;
  const schema = queueSchema(environment);
  const groups = new AccessGroups(settings);
  const dispatch = dispatchWorker(settings);
  const capacity = capacityOf(settings);
  const vendors = channelVendors(settings);
  const signer = notificationSigner(settings);
  const tokens = new AccessTokens(settings);
  const erasing = erasingOf(settings, tokens);
  const means = { environment, dispatch, stacks: stacksOf(settings), capacity, erasing, vendors };
  const short = [
    mailTask(settings),
    reconcileMembersTask({ schema, domain, groups, dispatch }),
    reconcileServiceTokensTask({ environment, domain, tokens }),
    reconcileDashboardUsersTask({ environment, domain, groups }),
    reconcileAllTask(schema),
    eventTask(settings),
    jobTask("job", means),
    deadlinesTask(schema),
    pollHealthTask(environment, dispatch),
    pruneHealthTask,
    rollUpUsageTask(environment, settings),
    advanceCreditsTask,
    issueInvoicesTask(environment),
    countCapacityTask(capacity),
    keepBundleTask,
    rolloutsTask(environment),
    readVersionsTask(environment, dispatch),
    checkChannelsTask(environment, vendors),
    distributeTask,
    webhookTask(signer, webhookPoster()),
    sweepNotificationsTask(schema),
  ];
  return { short, operations: [jobTask("operation", means)] };
}

/** @returns undefined if the service deploys no tenants */
function capacityOf(settings: Settings): AccountCapacity | undefined {
  const { ENVIRONMENT: environment, CLOUDFLARE_API_URL: apiUrl, CLOUDFLARE_ACCOUNT_ID: accountId } = settings;
  const { PROVISIONING_API_TOKEN: apiToken, ACCOUNT_LIMITS: limits, OTHER_PLATFORMS: otherPlatforms } = settings;
  if (settings.ENGINE === undefined || apiToken === undefined) return undefined;
  return new AccountCapacity({ environment, apiUrl, accountId, apiToken, limits, otherPlatforms });
}

function stacksOf({ ENVIRONMENT: environment, ENGINE: engine }: Settings): TenantStacks | undefined {
  if (engine === undefined) return undefined;
  return new TenantStacks({ environment, platformStack: engine.platformStack, runs: new EngineRuns(engine) });
}

/** @returns undefined if the service deploys no tenants */
function erasingOf(settings: Settings, tokens: AccessTokens): ErasingServices | undefined {
  const { CLOUDFLARE_API_URL: apiUrl, CLOUDFLARE_ACCOUNT_ID: accountId, PROVISIONING_API_TOKEN: apiToken } = settings;
  const { ENVIRONMENT: environment, CLOUDFLARE_API_TOKEN: accessToken, PLATFORM_DOMAIN: domain } = settings;
  if (settings.ENGINE === undefined || apiToken === undefined) return undefined;
  const buckets = new BackupBuckets({ apiToken, baseURL: apiUrl, accountId });
  return {
    domain,
    buckets,
    tokens,
    remaining: new RemainingResources({ environment, apiUrl, accountId, apiToken, accessToken }),
  };
}
