import { useState } from "react";
import { type Image, imageRoutes } from "../../../../../contracts/api/images.ts";
import { useChange } from "../../../api/change.ts";
import { toast } from "../../../kit/toast.ts";
import { type EntryChange, EntryMenu } from "./entry-menu.tsx";
import { ImageNote } from "./image-note.tsx";
import { tellChange } from "./told-change.ts";
import { imageName } from "./version-names.ts";

export function ImageMenu({ image }: { image: Image }) {
  const [noting, setNoting] = useState(false);
  const name = imageName(image);
  const update = useChange(imageRoutes.updateImage);
  const failed = (error: Error) => toast({ kind: "failed", title: `${name} was not changed`, about: error.message });
  const change = (body: EntryChange, version: number) =>
    update.mutate(
      { params: { id: image.id }, body, version },
      {
        onSuccess: (answer) =>
          tellChange({
            name,
            change: body,
            wasDefault: image.default,
            undo: (back) => change(back, answer.version),
          }),
        onError: failed,
      },
    );
  return (
    <>
      <EntryMenu
        name={name}
        entry={image}
        busy={update.isPending}
        onChange={(body) => change(body, image.version)}
        onNote={() => setNoting(true)}
      />
      {noting ? <ImageNote image={image} onClose={() => setNoting(false)} /> : null}
    </>
  );
}
