/**
 * A listener for connections to every port of every address, as the vendor's sidecar has one (TPROXY; `main.go` of cloudflare/proxy-everything). Its
 * sockets have the connection's destination as their local address.
 */

/** Of its own: 1 (TCPMUX), which no program uses. */
const PORT = 1;

/**
 * A program in Perl, since Node.js cannot create such a socket. It runs its parameters, with the socket's number in `EVERY_PORT_SOCKET` unless the machine
 * lacks a part of it. Constants are those of Linux: AF_INET6, SOCK_STREAM, IP_TRANSPARENT, IPV6_V6ONLY.
 */
const LISTEN = `$^F = 255;
sub intercept {
  my ($program, $own) = @_;
  open(my $rules, "|-", "$program-restore 2>/dev/null") or return 0;
  print $rules "*mangle\\n-A PREROUTING ! -d $own -p tcp --syn -j TPROXY --on-port ${PORT}\\nCOMMIT\\n";
  return close $rules;
}
$SIG{PIPE} = "IGNORE";
$ENV{PATH} .= ":/usr/sbin:/sbin";
if (socket(S, 10, 1, 0) && setsockopt(S, 0, 19, pack("i", 1)) && setsockopt(S, 41, 26, pack("i", 0))
    && bind(S, pack("S n N a16 N", 10, ${PORT}, 0, "", 0)) && intercept("iptables", "127.0.0.0/8")) {
  intercept("ip6tables", "::1/128");
  $ENV{EVERY_PORT_SOCKET} = fileno(S);
}
exec @ARGV;`;

/** A shell command that runs the shell's parameters, with that listener if the machine allows it. */
export const LISTEN_AND_RUN = `command -v perl >/dev/null && exec perl -e '${LISTEN}' "$@"
exec "$@"`;
