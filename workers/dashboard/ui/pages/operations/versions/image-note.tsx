import { type Image, imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { TextArea } from "#workers/dashboard/ui/kit/form/field.tsx";
import { useRowDraft } from "#workers/dashboard/ui/kit/form/row-draft.ts";
import { imageName } from "./version-names.ts";

export function ImageNote({ image, onClose }: { image: Image; onClose: () => void }) {
  const { tag } = imageRoutes.updateImage;
  const draft = useRowDraft<Pick<Image, "note" | "release_notes">>(
    `image-note.${image.id}`,
    image.version,
    tag,
    onClose,
  );
  const update = useChange(imageRoutes.updateImage, {
    success: "Notes saved",
    onDone: draft.discard,
  });
  const { note = image.note, release_notes = image.release_notes } = draft.edits;
  const faults = fieldFaults(update.error);
  return (
    <FormDialog
      onClose={draft.discard}
      title={`Edit notes of ${imageName(image)}`}
      action="Save notes"
      change={update}
      onReload={draft.reload}
      onSubmit={() =>
        update.mutate({ params: { id: image.id }, body: { note, release_notes }, version: draft.version })
      }
    >
      <TextArea
        label="Note"
        optional
        maxLength={500}
        value={note}
        onChange={(text) => draft.change({ note: text })}
        fault={faults.note}
      />
      <TextArea
        label="Release notes"
        about="Users of tenants read them."
        optional
        maxLength={20_000}
        value={release_notes}
        onChange={(text) => draft.change({ release_notes: text })}
        fault={faults.release_notes}
      />
    </FormDialog>
  );
}
