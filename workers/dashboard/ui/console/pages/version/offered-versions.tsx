import { lazy, Suspense, useState } from "react";
import type { InstanceVersions, OfferedVersion } from "#workers/contracts/api/instances/instance-versions.ts";
import { useTenant } from "#workers/dashboard/ui/api/session.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import type { TenantProps } from "../../tenant-page.tsx";

const ChangeVersion = lazy(() => import("./change-version.tsx"));

const AGES: Readonly<Record<OfferedVersion["age"], readonly [tone: Tone, text: string] | undefined>> = {
  current: ["good", "current"],
  newer: ["info", "newer"],
  older: ["quiet", "older"],
  other: undefined,
};

interface OfferedVersionsProps extends TenantProps {
  versions: InstanceVersions;
  onReload: () => Promise<unknown>;
}

export function OfferedVersions({ client, instance, versions, onReload }: OfferedVersionsProps) {
  const { read_only } = useTenant();
  const [chosen, setChosen] = useState<OfferedVersion>();
  const { offered, refusal, change } = versions;
  const isChangeable = !read_only && refusal === null && change === null;
  return (
    <Card title="Available versions" about={refusal ?? "Your operator offers these versions."}>
      {offered.length === 0 ? (
        <Empty title="No versions are offered">Your operator chooses the version of your agent.</Empty>
      ) : (
        <ul aria-label="Available versions" className="flex flex-col divide-y divide-line">
          {offered.map((version) => (
            <li key={version.id} className="flex flex-wrap items-start gap-3 py-3 first:pt-0 last:pb-0">
              <VersionText version={version} />
              {version.age === "current" || !isChangeable ? null : (
                <Button small onClick={() => setChosen(version)}>
                  Change to {version.gateway_version}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {chosen === undefined ? null : (
        <Suspense>
          <ChangeVersion
            to={chosen}
            {...{ client, instance, versions, onReload }}
            onClose={() => setChosen(undefined)}
          />
        </Suspense>
      )}
    </Card>
  );
}

function VersionText({
  version: { gateway, gateway_version, age, default: isDefault, added_at, release_notes },
}: {
  version: OfferedVersion;
}) {
  const [tone, text] = AGES[age] ?? [];
  return (
    <div className="min-w-0 flex-1 basis-64">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {gateway} {gateway_version}
        {tone === undefined ? null : <Badge tone={tone}>{text}</Badge>}
        {isDefault ? <Badge>recommended</Badge> : null}
        <span className="text-xs font-normal text-quiet">
          offered <Ago at={added_at} long />
        </span>
      </p>
      <p className="mt-1 text-[0.8125rem] break-words whitespace-pre-wrap text-soft">
        {release_notes === "" ? "No release notes." : release_notes}
      </p>
    </div>
  );
}
