import { type Image, imageRoutes } from "../../../../../contracts/api/images.ts";
import { useChange } from "../../../api/change.ts";
import { fieldFaults } from "../../../api/faults.ts";
import { FormDialog } from "../../../kit/form/dialog.tsx";
import { TextArea } from "../../../kit/form/field.tsx";
import { useRowDraft } from "../../../kit/form/row-draft.ts";
import { toast } from "../../../kit/toast/toast.ts";
import { imageName } from "./version-names.ts";

/** What people are to know of an image. */
export function ImageNote({ image, onClose }: { image: Image; onClose: () => void }) {
  const { tag } = imageRoutes.updateImage;
  const draft = useRowDraft<Pick<Image, "note">>(`image-note.${image.id}`, image.version, tag);
  const close = () => {
    draft.forget();
    onClose();
  };
  const update = useChange(imageRoutes.updateImage, {
    onDone: () => {
      close();
      toast({ title: "The note is saved" });
    },
  });
  const { note = image.note } = draft.typed;
  return (
    <FormDialog
      open
      onClose={close}
      title={`Note on ${imageName(image)}`}
      action="Save"
      busy={update.isPending}
      error={update.error}
      onReadAnew={() => void draft.readAnew().then(update.reset)}
      onSubmit={() => update.mutate({ params: { id: image.id }, body: { note }, version: draft.version })}
    >
      <TextArea
        label="Note"
        optional
        maxLength={500}
        value={note}
        onChange={(text) => draft.change({ note: text })}
        fault={fieldFaults(update.error).note}
      />
    </FormDialog>
  );
}
