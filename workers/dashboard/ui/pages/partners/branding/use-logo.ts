import { useRef } from "react";
import { type PartnerStyle, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";

export function useLogo({ partner_id, logo_url, version }: PartnerStyle) {
  const params = { partner_id };
  const previous = useRef<Blob>(undefined);
  const failure = "Failed to undo the logo change";
  const restore = useChange(partnerRoutes.putPartnerLogo, { success: "Logo restored", failure });
  const removeAgain = useChange(partnerRoutes.deletePartnerLogo, { success: "Logo removed again", failure });
  const undo = (upload: Blob | undefined) => ({
    name: "Undo",
    run: () => (upload === undefined ? removeAgain.mutate({ params }) : restore.mutate({ params, upload })),
  });
  const put = useChange(partnerRoutes.putPartnerLogo, {
    success: () => ({ title: "Logo saved", action: undo(previous.current) }),
  });
  const remove = useChange(partnerRoutes.deletePartnerLogo, {
    success: () => ({ title: "Logo removed", ...(previous.current && { action: undo(previous.current) }) }),
  });
  return {
    isPutting: put.isPending,
    isRemoving: remove.isPending,
    error: put.error ?? remove.error,
    reset() {
      put.reset();
      remove.reset();
    },
    async put(file: File) {
      previous.current = await downloadLogo(logo_url);
      put.mutate({ params, upload: file, version });
    },
    async remove() {
      previous.current = await downloadLogo(logo_url);
      remove.mutate({ params, version });
    },
  };
}

/** Downloads the current logo for undo; undefined if there is none or the download fails. */
async function downloadLogo(address: string | null): Promise<Blob | undefined> {
  if (address === null) return undefined;
  const response = await fetch(address).catch(() => undefined);
  return response?.ok ? response.blob() : undefined;
}
