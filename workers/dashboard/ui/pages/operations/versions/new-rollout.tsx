import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { wavesFault } from "#domain/rollouts/waves.ts";
import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { rolloutAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { CheckField, SelectField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { bundleName, imageName } from "./version-names.ts";

const BLANK = { image: "", bundle: "", waves: "10, 50, 100", soak: "30", notice: "24", urgent: false };
const WHOLE = /^\d{1,5}$/;

/** Percents as they are typed; what is none is left for {@link wavesFault} to find. */
const percentsOf = (text: string): number[] =>
  text.split(/[\s,;%]+/).flatMap((part) => (part === "" ? [] : [Number(part)]));

/** Asks what is rolled out, and how carefully. */
export function NewRollout({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const images = useQuery(read(imageRoutes.listImages, {}));
  const bundles = useQuery(read(imageRoutes.listWorkerBundles, {}));
  const [values, set, forget] = useDraft("rollout", BLANK);
  const close = () => {
    forget();
    onClose();
  };
  const begin = useChange(rolloutRoutes.createRollout, {
    onDone: (rollout) => {
      close();
      toast({ title: "The roll-out has begun", about: passedBy(rollout) });
      void navigate({ to: rolloutAddress(rollout.id) });
    },
  });
  const faults = fieldFaults(begin.error);
  const { image, bundle, waves, soak, notice, urgent } = values;
  const offered = <T extends { withdrawn_at: string | null }>(data: readonly T[] = []) =>
    data.filter(({ withdrawn_at }) => withdrawn_at === null);
  const percents = percentsOf(waves);
  const waveFault = percents.every(Number.isInteger) ? wavesFault(percents) : wavesFault([]);
  const isReady =
    (image !== "" || bundle !== "") && waveFault === undefined && WHOLE.test(soak) && (urgent || WHOLE.test(notice));
  return (
    <FormDialog
      open
      wide
      onClose={close}
      title="Start a roll-out"
      about="A tenant that does not run as wanted takes its wave back by itself. Tenants of Git and pinned ones are passed by."
      action={urgent ? "Start at once" : "Start"}
      danger={urgent}
      busy={begin.isPending}
      error={begin.error ?? images.error ?? bundles.error}
      ready={isReady}
      onSubmit={() =>
        begin.mutate({
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
          about="Interrupts each tenant for a minute or two, which its administrators are told before."
          value={image}
          onChange={(next) => set({ image: next })}
          fault={faults.image_id}
          choices={[
            { value: "", name: "As it is" },
            ...offered(images.data?.data).map((one) => ({ value: one.id, name: imageName(one) })),
          ]}
        />
        <SelectField
          label="Worker"
          about="Another Worker alone interrupts nobody."
          value={bundle}
          onChange={(next) => set({ bundle: next })}
          fault={faults.worker_bundle_id}
          choices={[
            { value: "", name: "As it is" },
            ...offered(bundles.data?.data).map((one) => ({ value: one.id, name: bundleName(one) })),
          ]}
        />
      </div>
      <TextField
        label="Waves"
        about="Percent of the tenants that have it after each wave. The canaries come before."
        value={waves}
        onChange={(next) => set({ waves: next })}
        fault={faults.waves ?? waveFault}
        inputMode="numeric"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Minutes between waves"
          about="For so long a wave has to stay healthy before the next begins."
          value={soak}
          onChange={(next) => set({ soak: next })}
          fault={faults.soak_minutes ?? (WHOLE.test(soak) ? undefined : "is a whole number of minutes")}
          inputMode="numeric"
        />
        <TextField
          label="Hours of notice"
          about="A tenant's administrators know at least so long before, and its maintenance window is waited for."
          value={notice}
          disabled={urgent}
          onChange={(next) => set({ notice: next })}
          fault={faults.notice_hours ?? (urgent || WHOLE.test(notice) ? undefined : "is a whole number of hours")}
          inputMode="numeric"
        />
      </div>
      <CheckField
        label="It is urgent"
        about="Waits for no notice and no maintenance window."
        checked={urgent}
        onChange={(next) => set({ urgent: next })}
      />
      {urgent ? (
        <p role="alert" className="rounded-md bg-busy-soft px-3 py-2 text-[0.8125rem] text-busy">
          People are interrupted at work, and nobody tells them before. Choose it for what cannot wait, such as a hole
          that is being used.
        </p>
      ) : null}
    </FormDialog>
  );
}

function passedBy({ passed_by: { git, pinned, not_running } }: Answer<typeof rolloutRoutes.createRollout>): string {
  const told = [
    [git, "of Git"],
    [pinned, "pinned"],
    [not_running, "not running"],
  ] as const;
  const named = told.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return named.length === 0 ? "It reaches every tenant." : `It passes by: ${named.join(", ")}.`;
}
