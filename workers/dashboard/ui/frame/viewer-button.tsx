import { UserRound } from "lucide-react";
import type { Viewer } from "../api/session.ts";
import { Button, type ButtonProps } from "../kit/button.tsx";

export function ViewerButton({ viewer: { user }, ...rest }: { viewer: Viewer } & ButtonProps) {
  return (
    <Button {...rest} look="ghost" aria-label={`You are ${user.name || user.email}`} className="max-w-64">
      <UserRound aria-hidden="true" />
      <span className="hidden truncate sm:inline">{user.name || user.email}</span>
    </Button>
  );
}
