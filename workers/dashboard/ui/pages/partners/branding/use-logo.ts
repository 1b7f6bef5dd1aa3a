/** Sets and removes a partner's logo; what was there before can be had back. */
import { useRef } from "react";
import { type PartnerStyle, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";

export function useLogo({ partner_id, logo_url, version }: PartnerStyle) {
  const params = { partner_id };
  const before = useRef<Blob>(undefined);
  const failed = (error: Error) => toast({ kind: "failed", title: "The logo is not back", about: error.message });
  const putBack = useChange(partnerRoutes.putPartnerLogo, {
    onDone: () => toast({ title: "The logo is back" }),
    onFailed: failed,
  });
  const removeAgain = useChange(partnerRoutes.deletePartnerLogo, {
    onDone: () => toast({ title: "There is no logo again" }),
    onFailed: failed,
  });
  const undo = (upload: Blob | undefined) => ({
    name: "Undo",
    run: () => (upload === undefined ? removeAgain.mutate({ params }) : putBack.mutate({ params, upload })),
  });
  const put = useChange(partnerRoutes.putPartnerLogo, {
    onDone: () => toast({ title: "The logo is saved", action: undo(before.current) }),
  });
  const remove = useChange(partnerRoutes.deletePartnerLogo, {
    onDone: () => toast({ title: "The logo is removed", ...(before.current && { action: undo(before.current) }) }),
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
      before.current = await kept(logo_url);
      put.mutate({ params, upload: file, version });
    },
    async remove() {
      before.current = await kept(logo_url);
      remove.mutate({ params, version });
    },
  };
}

/** The logo's bytes, before they are gone; undefined where there are none, or they cannot be had. */
async function kept(address: string | null): Promise<Blob | undefined> {
  if (address === null) return undefined;
  const response = await fetch(address).catch(() => undefined);
  return response?.ok ? response.blob() : undefined;
}
