import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type Rollout, rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Card, Facts } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { RootsOnly } from "#workers/dashboard/ui/kit/roots-only.tsx";
import { Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { RolloutActions } from "./rollout-actions.tsx";
import { RolloutBadge } from "./rollout-badge.tsx";
import type { RolloutDetails } from "./rollout-counts.ts";
import { useRolloutName } from "./rollout-name.tsx";
import { RolloutTenants } from "./rollout-tenants.tsx";
import { RolloutWaves } from "./rollout-waves.tsx";

const route = getRouteApi("/shell/operations/rollouts/$rolloutId");
const CRUMBS = [{ name: "Versions", to: "/operations/versions" }];

const RolloutPage = () => <RootsOnly title="Rollout">{() => <LoadedRollout />}</RootsOnly>;

function LoadedRollout() {
  const { rolloutId: id } = route.useParams();
  const rollout = useQuery(apiQuery(rolloutRoutes.getRollout, { params: { id } }));
  return (
    <Loaded
      query={rollout}
      failed={(failed) => (
        <Page title="Rollout" crumbs={CRUMBS}>
          {failed}
        </Page>
      )}
    >
      {(found) => <RolloutDetail key={found.id} rollout={found} />}
    </Loaded>
  );
}

function RolloutDetail({ rollout }: { rollout: RolloutDetails }) {
  const name = useRolloutName(rollout);
  const { status, soak_minutes, notice_hours, urgent, requested_by, created_at, ended_at } = rollout;
  return (
    <Page
      title={`Rollout of ${name}`}
      crumbs={CRUMBS}
      beside={
        <span role="status">
          <RolloutBadge status={status} />
        </span>
      }
      actions={<RolloutActions rollout={rollout} name={name} />}
    >
      <RolloutCause rollout={rollout} />
      <div className="grid gap-4 lg:grid-cols-3">
        <RolloutWaves rollout={rollout} />
        <Card title="Details">
          <Facts
            facts={[
              ["Requested by", requested_by],
              ["Started", <Moment key="started" at={created_at} />],
              ["Ended", ended_at === null ? "Not yet" : <Moment key="ended" at={ended_at} />],
              ["Between waves", `At least ${soak_minutes} min without problems`],
              ["Notice", urgent ? "None (urgent)" : `${notice_hours} h, then the maintenance window`],
            ]}
          />
        </Card>
      </div>
      <RolloutTenants rollout={rollout} />
    </Page>
  );
}

function RolloutCause({ rollout: { cause, status } }: { rollout: Rollout }) {
  if (cause === null) return null;
  return (
    <section aria-label="Cause of the rollback" className="rounded-lg bg-bad-soft px-4 py-3 text-bad">
      <p className="break-words">{cause}</p>
      <p className="mt-1">
        {status === "rolling_back"
          ? "The current wave is being rolled back. Completed waves keep the version."
          : "The wave was rolled back. Check the tenant and fix the version, then start another rollout."}
      </p>
    </section>
  );
}

export default RolloutPage;
