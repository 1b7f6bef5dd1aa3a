import { useState } from "react";
import type { Image } from "#workers/contracts/api/tenants/images.ts";
import { EntryMenu } from "./entry-menu.tsx";
import { ImageNote } from "./image-note.tsx";
import { useEntryChange } from "./use-entry-change.ts";
import { imageName } from "./version-names.ts";

export function ImageMenu({ image }: { image: Image }) {
  const [editsNote, setEditsNote] = useState(false);
  const name = imageName(image);
  const { change, isPending } = useEntryChange("image", name, image);
  return (
    <>
      <EntryMenu name={name} entry={image} busy={isPending} onChange={change} onNote={() => setEditsNote(true)} />
      {editsNote ? <ImageNote image={image} onClose={() => setEditsNote(false)} /> : null}
    </>
  );
}
