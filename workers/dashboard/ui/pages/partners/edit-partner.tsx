import { type Partner, partnerRoutes } from "../../../../contracts/api/partners.ts";
import { useChange } from "../../api/change.ts";
import { fieldFaults } from "../../api/faults.ts";
import { useSeenVersion } from "../../api/seen-version.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { useDraft } from "../../kit/draft.ts";
import { toast } from "../../kit/toast.ts";
import { PartnerFields, slugFaultOf } from "./partner-fields.tsx";

export default function EditPartner({ partner, onClose }: { partner: Partner; onClose: () => void }) {
  const [draft, change, forget] = useDraft(`partner-${partner.id}`, { slug: partner.slug, name: partner.name });
  const [version, readAnew] = useSeenVersion(partner.version, partnerRoutes.updatePartner.tag);
  const save = useChange(partnerRoutes.updatePartner, {
    // Clients tell their partner's name.
    also: ["clients"],
    onDone: ({ name }) => {
      forget();
      onClose();
      toast({ title: `${name} is saved` });
    },
  });
  const body = { slug: draft.slug.trim(), name: draft.name.trim() };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Edit ${partner.name}`}
      action="Save"
      busy={save.isPending}
      error={save.error}
      onReadAnew={() => void readAnew().then(save.reset)}
      ready={body.slug !== "" && body.name !== "" && slugFaultOf(body.slug) === undefined}
      onSubmit={() => save.mutate({ params: { id: partner.id }, body, version })}
    >
      <PartnerFields values={draft} onChange={change} faults={fieldFaults(save.error)} />
    </FormDialog>
  );
}
