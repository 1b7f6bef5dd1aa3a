import { useQueryClient } from "@tanstack/react-query";
import { ImageUp, Trash2 } from "lucide-react";
import { useId, useRef, useState } from "react";
import { logoTypes, MAX_LOGO_BYTES, type PartnerStyle, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";
import { SaveFault } from "#workers/dashboard/ui/kit/form/save-fault.tsx";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { useLogo } from "./use-logo.ts";

export function LogoField({ style }: { style: PartnerStyle }) {
  const { logo_url } = style;
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const [over, setOver] = useState(false);
  const [fault, setFault] = useState<string>();
  const logo = useLogo(style);
  const take = (file: File | undefined) => {
    if (file === undefined || logo.isPutting || logo.isRemoving) return;
    const found = logoFault(file);
    setFault(found);
    if (found === undefined) void logo.put(file);
  };
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="text-[0.8125rem] font-medium">
        Logo
      </h3>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keyboard users have the button. */}
      <div
        className={joinClasses(
          "flex min-h-28 flex-col items-center justify-center gap-3 rounded-lg border border-dashed p-3 text-center",
          over ? "border-accent bg-accent-soft" : "border-line-strong",
        )}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files[0]);
        }}
      >
        {logo_url === null ? (
          <p className="text-quiet">Drop an image here, or choose a file.</p>
        ) : (
          // Logos are made for a light background unless the partner sets another.
          <span className="rounded-md bg-white p-2">
            <img src={logo_url} alt="Current logo" className="h-12 max-w-48 object-contain" />
          </span>
        )}
        <div className="flex flex-wrap justify-center gap-2">
          <Button small busy={logo.isPutting} disabled={logo.isRemoving} onClick={() => picker.current?.click()}>
            <ImageUp aria-hidden="true" /> {logo_url === null ? "Choose file" : "Replace logo"}
          </Button>
          {logo_url === null ? null : (
            <Button
              small
              variant="ghost"
              busy={logo.isRemoving}
              disabled={logo.isPutting}
              onClick={() => void logo.remove()}
            >
              <Trash2 aria-hidden="true" /> Remove logo
            </Button>
          )}
        </div>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label="Logo file"
          accept={logoTypes.join(",")}
          onChange={(event) => {
            take(event.currentTarget.files?.[0]);
            // Allows the same file again.
            event.currentTarget.value = "";
          }}
        />
      </div>
      <p className="text-xs text-quiet">
        {LOGO_TYPES}, at most {MAX_SIZE}. Saved immediately.
      </p>
      {fault === undefined ? (
        <SaveFault
          change={logo}
          onReload={() => queries.invalidateQueries({ queryKey: [partnerRoutes.getPartnerStyle.tag] })}
        />
      ) : (
        <Fault error={{ message: fault }} />
      )}
    </section>
  );
}

const LOGO_TYPES = "PNG, JPEG, WebP or SVG";
const MAX_SIZE = `${MAX_LOGO_BYTES / 1024} KiB`;

/** Checks type and size; the API checks the content. */
function logoFault({ type, size }: Pick<File, "type" | "size">): string | undefined {
  if (!logoTypes.some((one) => one === type)) return `The file is not a ${LOGO_TYPES} image. Choose another file.`;
  if (size === 0) return "The file is empty. Choose another file.";
  if (size > MAX_LOGO_BYTES) return `The file has ${formatBytes(size)}. Choose one of at most ${MAX_SIZE}.`;
  return undefined;
}
