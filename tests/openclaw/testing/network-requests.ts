/** Network requests of a gateway's programs, as `network-record.mjs` writes them. */
import { isIP } from "node:net";
import { basename } from "node:path";
import * as z from "zod";

/** A line of the recorder. */
export const recorded = z.object({
  program: z.string().optional(),
  runs: z.array(z.string()).optional(),
  starts: z.string().optional(),
  parameters: z.array(z.string()).optional(),
  resolves: z.string().optional(),
  connectsTo: z.string().optional(),
  sendsTo: z.string().optional(),
  stack: z.string().optional(),
});
export type Recorded = z.infer<typeof recorded>;

/** Whether a request left this machine, or a program was started that may send one. */
export function isOutside({ resolves, connectsTo, sendsTo, starts, parameters = [] }: Recorded): boolean {
  if (starts !== undefined) return !isWithin([basename(starts), ...parameters.slice(1)].join(" "));
  return [resolves, connectsTo, sendsTo].some((name) => name !== undefined && !isHere(name));
}

/** Whether a name or an address is local, of a stand-in, or of a host that the Worker of the tenant intercepts. */
function isHere(name: string): boolean {
  if (isIP(name) === 0) return name === "localhost" || /\.(?:localhost|internal|test)$/.test(name);
  return /^(?:::ffff:)?127\.|^::1?$|^0\.0\.0\.0$|^11\.0\.|^fd00::/.test(name);
}

/** Whether a command uses no network: Node.js programs are recorded themselves. */
const isWithin = (command: string): boolean =>
  /^(?:node|p?npm root -g|gh auth token|busctl|systemctl|crontab|lsof)\b/.test(command) ||
  (/^git\b/.test(command) && !/\b(?:clone|fetch|pull|push|ls-remote|submodule|remote update)\b/.test(command));
