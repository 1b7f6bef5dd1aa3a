import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { wavesFault } from "#domain/rollouts/waves.ts";
import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { rolloutAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { CheckField, SelectField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { bundleName, imageName } from "./version-names.ts";

const BLANK = { image: "", bundle: "", waves: "10, 50, 100", soak: "30", notice: "24", urgent: false };
const WHOLE = /^\d{1,5}$/;

/** Leaves invalid values for {@link wavesFault} to find. */
const percentsOf = (text: string): number[] =>
  text.split(/[\s,;%]+/).flatMap((part) => (part === "" ? [] : [Number(part)]));

export function NewRollout({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const images = useQuery(apiQuery(imageRoutes.listImages, {}));
  const bundles = useQuery(apiQuery(imageRoutes.listWorkerBundles, {}));
  const [values, set, close] = useDraft("rollout", BLANK, onClose);
  const start = useChange(rolloutRoutes.createRollout, {
    success: (rollout) => ({ title: "Rollout started", about: skippedText(rollout) }),
    onDone: ({ id }) => {
      close();
      void navigate({ to: rolloutAddress(id) });
    },
  });
  const faults = fieldFaults(start.error);
  const { image, bundle, waves, soak, notice, urgent } = values;
  const percents = percentsOf(waves);
  const waveFault = percents.every(Number.isInteger) ? wavesFault(percents) : wavesFault([]);
  const isReady =
    (image !== "" || bundle !== "") && waveFault === undefined && WHOLE.test(soak) && (urgent || WHOLE.test(notice));
  return (
    <FormDialog
      wide
      onClose={close}
      title="Start rollout"
      about="If a tenant does not run as configured, its wave is rolled back automatically. Pinned tenants and those managed in Git are skipped."
      action={urgent ? "Start immediately" : "Start rollout"}
      danger={urgent}
      change={{ ...start, error: start.error ?? images.error ?? bundles.error }}
      ready={isReady}
      onSubmit={() =>
        start.mutate({
          body: {
            ...(image !== "" && { image_id: image }),
            ...(bundle !== "" && { worker_bundle_id: bundle }),
            waves: percents,
            soak_minutes: Number(soak),
            ...(WHOLE.test(notice) && { notice_hours: Number(notice) }),
            urgent,
          },
        })
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Image"
          about="Interrupts each tenant for a minute or two. Its administrators are notified in advance."
          value={image}
          onChange={(next) => set({ image: next })}
          fault={faults.image_id}
          choices={choicesOf(images.data?.data, imageName)}
        />
        <SelectField
          label="Worker"
          about="A new Worker alone interrupts no tenant."
          value={bundle}
          onChange={(next) => set({ bundle: next })}
          fault={faults.worker_bundle_id}
          choices={choicesOf(bundles.data?.data, bundleName)}
        />
      </div>
      <TextField
        label="Waves"
        about="Percentage of tenants that have the version after each wave. Canaries come first."
        value={waves}
        onChange={(next) => set({ waves: next })}
        fault={faults.waves ?? waveFault}
        inputMode="numeric"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Minutes between waves"
          about="How long a wave must stay healthy before the next one starts."
          value={soak}
          onChange={(next) => set({ soak: next })}
          fault={faults.soak_minutes ?? (WHOLE.test(soak) ? undefined : "Enter a whole number of minutes.")}
          inputMode="numeric"
        />
        <TextField
          label="Hours of notice"
          about="Minimum notice to a tenant's administrators. The rollout also waits for the maintenance window."
          value={notice}
          disabled={urgent}
          onChange={(next) => set({ notice: next })}
          fault={faults.notice_hours ?? (urgent || WHOLE.test(notice) ? undefined : "Enter a whole number of hours.")}
          inputMode="numeric"
        />
      </div>
      <CheckField
        label="Urgent"
        about="Skips the notice and the maintenance windows."
        checked={urgent}
        onChange={(next) => set({ urgent: next })}
      />
      {urgent ? (
        <p role="alert" className="rounded-md bg-busy-soft px-3 py-2 text-[0.8125rem] text-busy">
          This interrupts users without notice. Use it only if the change cannot wait, such as for a vulnerability that
          is being exploited.
        </p>
      ) : null}
    </FormDialog>
  );
}

const choicesOf = <T extends { id: string; withdrawn_at: string | null }>(
  entries: readonly T[] = [],
  nameOf: (entry: T) => string,
) => [
  { value: "", name: "No change" },
  ...entries
    .filter(({ withdrawn_at }) => withdrawn_at === null)
    .map((entry) => ({ value: entry.id, name: nameOf(entry) })),
];

function skippedText({ passed_by: { git, pinned, not_running } }: Answer<typeof rolloutRoutes.createRollout>): string {
  const groups = [
    [git, "managed in Git"],
    [pinned, "pinned"],
    [not_running, "not running"],
  ] as const;
  const skipped = groups.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return skipped.length === 0 ? "It includes all tenants." : `Skipped: ${skipped.join(", ")}.`;
}
