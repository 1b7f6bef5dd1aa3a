import { type Partner, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useRowDraft } from "#workers/dashboard/ui/kit/form/row-draft.ts";
import { PartnerFields, type PartnerValues, slugFaultOf } from "./partner-fields.tsx";

export default function EditPartner({ partner, onClose }: { partner: Partner; onClose: () => void }) {
  const { tag } = partnerRoutes.updatePartner;
  const draft = useRowDraft<PartnerValues>(`partner-${partner.id}`, partner.version, tag, onClose);
  const save = useChange(partnerRoutes.updatePartner, {
    // Clients show the partner's name.
    also: ["clients"],
    success: ({ name }) => `${name} saved`,
    onDone: draft.discard,
  });
  const values = { slug: partner.slug, name: partner.name, ...draft.edits };
  const body = { slug: values.slug.trim(), name: values.name.trim() };
  return (
    <FormDialog
      onClose={draft.discard}
      title={`Edit ${partner.name}`}
      action="Save partner"
      change={save}
      onReload={draft.reload}
      ready={body.slug !== "" && body.name !== "" && slugFaultOf(body.slug) === undefined}
      onSubmit={() => save.mutate({ params: { id: partner.id }, body, version: draft.version })}
    >
      <PartnerFields values={values} onChange={draft.change} faults={fieldFaults(save.error)} />
    </FormDialog>
  );
}
