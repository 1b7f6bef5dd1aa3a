/**
 * Rules of the network of a container and its sidecar. The sidecar intercepts TCP and DNS, but neither the engine's own networks nor other
 * protocols, so a container would reach the ports of other containers and of the machine.
 */

/** Group of the sidecar's process. No program of a container can join it without rights. */
export const SIDECAR_GROUP = 39_001;

/** The mark of packets that the vendor's sidecar intercepts (https://github.com/cloudflare/proxy-everything, `main.go`). */
const INTERCEPTED = 1;

/** `$1` is a program that sets rules, `$2` the form of addresses of name servers. */
const RULES = `
rules() {
  "$1" -w -A OUTPUT -m owner --gid-owner ${SIDECAR_GROUP} -j ACCEPT &&
  "$1" -w -A OUTPUT -m mark --mark ${INTERCEPTED} -j ACCEPT &&
  "$1" -w -A OUTPUT -m conntrack --ctstate ESTABLISHED --ctdir REPLY -j ACCEPT &&
  "$1" -w -A OUTPUT -o lo -j ACCEPT || exit 1
  while read -r name server _; do
    case "$name $server" in "nameserver "$2) "$1" -w -A OUTPUT -p udp --dport 53 -d "$server" -j ACCEPT || exit 1;; esac
  done < /etc/resolv.conf
  "$1" -w -A OUTPUT -j REJECT || exit 1
}
rules iptables '*.*'
if [ -e /proc/net/if_inet6 ]; then rules ip6tables '*:*'; fi
exec "$@"`;

/** Returns the command line that sets the rules and then runs the sidecar. They hold until its network ends. */
export const guardedEntrypoint = (entrypoint: readonly string[]): string[] => [
  "sh",
  "-c",
  RULES.trim(),
  "sh",
  ...entrypoint,
];
