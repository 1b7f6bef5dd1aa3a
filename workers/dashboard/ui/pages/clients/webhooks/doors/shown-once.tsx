import { WEBHOOK_KINDS } from "@tenantry/webhooks/kinds";
import { ExternalLink } from "lucide-react";
import type { Door } from "#workers/contracts/api/tenants/doors.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Dialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { ShownValues } from "#workers/dashboard/ui/kit/shown-values.tsx";
import { doorAddress } from "./door-address.ts";
import { KIND_TEXTS, secretLabel } from "./kind-texts.ts";
import { WithCode } from "./with-code.tsx";

interface ShownOnceProps {
  title: string;
  door: Pick<Door, "kind">;
  /** Null if it is unchanged. */
  url: string | null;
  generated: Readonly<Record<string, string>>;
  onClose: () => void;
}

/** The address and the generated secrets of a door, which the API returns once. */
export function ShownOnce({ title, door: { kind }, url, generated, onClose }: ShownOnceProps) {
  const { label } = WEBHOOK_KINDS[kind];
  const values = [
    ...(url === null ? [] : [{ name: "Address", value: doorAddress(url) }]),
    ...Object.entries(generated).map(([name, value]) => ({ name: secretLabel(name), value })),
  ];
  return (
    <Dialog onClose={onClose} stays wide title={title}>
      <div className="flex flex-col gap-4">
        <Notice tone="busy" title="Shown once">
          <p>Copy {values.length === 1 ? "this value" : "these values"} now. To replace a lost one, rotate it.</p>
        </Notice>
        <ShownValues values={values} />
        <div className="flex flex-col gap-1">
          <p className="text-[0.8125rem] font-medium">Next step</p>
          <p className="text-soft">
            <WithCode text={KIND_TEXTS[kind].enter} />
          </p>
          <DocumentationLink kind={kind} label={label} />
        </div>
        <footer className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}

const LINK =
  "inline-flex w-fit items-center gap-1 text-[0.8125rem] text-inherit underline decoration-line-strong underline-offset-2 hover:decoration-current";

export const DocumentationLink = ({ kind, label }: { kind: Door["kind"]; label: string }) => (
  <a href={WEBHOOK_KINDS[kind].documentation} target="_blank" rel="noreferrer" className={LINK}>
    {label} documentation
    <ExternalLink aria-hidden="true" className="size-3.5" />
    <span className="sr-only">(opens in a new tab)</span>
  </a>
);
