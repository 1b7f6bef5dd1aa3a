/**
 * Domains whose subdomains belong to many owners, beside the top-level domains: a short list from https://publicsuffix.org/list/public_suffix_list.dat, and
 * domains where everyone can have a host.
 */
const PUBLIC_SUFFIXES: ReadonlySet<string> = new Set([
  ...["co.uk", "org.uk", "ac.uk", "gov.uk", "com.au", "net.au", "org.au", "co.nz", "co.za", "co.in", "co.il", "co.id"],
  ...[
    "co.jp",
    "ne.jp",
    "or.jp",
    "co.kr",
    "com.cn",
    "com.hk",
    "com.sg",
    "com.tw",
    "com.my",
    "com.br",
    "com.mx",
    "com.ar",
  ],
  ...["com.tr", "com.ua", "com.pl", "eu.org"],
  ...["amazonaws.com", "s3.amazonaws.com", "cloudfront.net", "elasticbeanstalk.com", "on.aws"],
  ...["azurewebsites.net", "azurestaticapps.net", "azureedge.net", "cloudapp.net", "cloudapp.azure.com"],
  ...["blob.core.windows.net", "core.windows.net", "trafficmanager.net"],
  ...["appspot.com", "web.app", "firebaseapp.com", "run.app", "cloudfunctions.net", "withgoogle.com", "blogspot.com"],
  ...["workers.dev", "pages.dev", "r2.dev", "trycloudflare.com", "cloudflareworkers.com"],
  ...["github.io", "githubpreview.dev", "gitlab.io", "bitbucket.io", "readthedocs.io", "js.org"],
  ...["herokuapp.com", "vercel.app", "now.sh", "netlify.app", "onrender.com", "fly.dev", "railway.app", "deno.dev"],
  ...[
    "surge.sh",
    "glitch.me",
    "repl.co",
    "replit.app",
    "replit.dev",
    "supabase.co",
    "digitaloceanspaces.com",
    "ondigitalocean.app",
  ],
  ...["ngrok.io", "ngrok.app", "ngrok.dev", "ngrok-free.app", "loca.lt", "serveo.net", "localhost.run"],
  ...[
    "duckdns.org",
    "no-ip.org",
    "ddns.net",
    "dyndns.org",
    "nip.io",
    "sslip.io",
    "xip.io",
    "myshopify.com",
    "wordpress.com",
  ],
]);

/** Whether subdomains of a domain belong to many owners. Top-level domains do. */
export const isPublicSuffix = (domain: string): boolean => !domain.includes(".") || PUBLIC_SUFFIXES.has(domain);
