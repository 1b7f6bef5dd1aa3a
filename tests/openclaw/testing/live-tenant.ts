/** A tenant with the real OpenClaw as its gateway, and steps of its users. */
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import type { StandIns } from "@tenantry/edge";
import { engineMark, type Images } from "@tenantry/edge/containers";
import { Inside, workspacesOf } from "@tenantry/edge/testing/runtime";
import { openBrowser } from "@tenantry/test-kit/browser";
import { reservedPort } from "@tenantry/test-kit/reserved-port";
import Cloudflare from "cloudflare";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import * as z from "zod";
import { ACCOUNT_ID, TEAM_DOMAIN } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { addDemoUsers } from "#local/start/demo.ts";
import { type HealthSnapshot, healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { gatewayProcesses } from "#workers/tenant/testing/gateway-processes.ts";
import { type Answer, call, callUntil, loggedIn } from "../../testing/http.ts";
import { openEdge, platformSettings, setImages, stackOf } from "../../testing/platform.ts";
import { isOutside, type Recorded, recorded } from "./network-requests.ts";
import { composer, exchange, type Frame, keepSockets, PATIENCE_MS, pictured } from "./page.ts";

const RUN = join(import.meta.dirname, "../../../workers/tenant/container/openclaw/run.mjs");
const RECORDER = join(import.meta.dirname, "network-record.mjs");
const VENDOR_HOST = join(import.meta.dirname, "vendor-host.mjs");
/** Milliseconds between reads of the containers' records, shorter than a container's life. */
const COLLECT_MS = 500;
export const ACME = "acme.tenantry.localhost";
export const ADA = "ada@acme.example";
export const BEN = "ben@acme.example";
/** Until the page shows a message of its user. */
const SENT_MS = 30_000;

/** A name of containers for a server of this machine. */
const LATER_VENDOR = "later.vendor.test";

/** A stand-in with TLS for a vendor whose address is fixed in a plug-in. */
export interface VendorHost {
  host: string;
  /** On 127.0.0.1. */
  port: number;
  /** Its file. */
  certificate: string;
}

interface Outside {
  /** Setting `channelApis`. */
  apis?: Record<string, string>;
  /** What the gateways connect to instead of vendors. */
  vendors?: readonly VendorHost[];
  /** Other hosts, as of the edge. */
  internet?: StandIns;
}

export interface Entered {
  context: BrowserContext;
  page: Page;
  /** Scopes that OpenClaw granted to the page's connection. */
  scopes: string[];
  /** Resolves when OpenClaw's WebSocket has closed. */
  cut: Promise<void>;
}

/** Name of the recorder's file in a container. */
const RECORD = "network.jsonl";

/** A failed request has no payload. */
const answered = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), payload: z.unknown() }),
  z.object({ ok: z.literal(false), error: z.object({ message: z.string() }) }),
]);

const configAnswer = z.object({ hash: z.string(), parsed: z.record(z.string(), z.unknown()) });

export class LiveTenant {
  readonly edge: Edge;
  /** Error responses and requests to other hosts, of all pages. */
  readonly pageFaults: string[] = [];
  readonly #browser: Browser;
  readonly #close: () => Promise<void>;
  readonly #directory: string;
  readonly #collects: NodeJS.Timeout;
  /** Pushed to the account's registry. */
  readonly #images: Images = {};
  readonly #channelApis: Record<string, string>;
  /** For a vendor's stand-in that starts later: its name, and its port on 127.0.0.1. */
  readonly laterVendor: { host: string; port: number };
  /** Ways to the ports of gateways, by process ID. */
  readonly #ways = new Map<number, { inside: Inside; url: Promise<string> }>();
  stack: Stack | undefined;

  private constructor(
    edge: Edge,
    browser: Browser,
    directory: string,
    apis: Record<string, string>,
    laterVendor: LiveTenant["laterVendor"],
    close: () => Promise<void>,
  ) {
    this.edge = edge;
    this.laterVendor = laterVendor;
    this.#browser = browser;
    this.#directory = directory;
    this.#channelApis = apis;
    this.#close = close;
    this.#collects = setInterval(() => this.#collect(), COLLECT_MS);
  }

  /** @param program OpenClaw's @param directory for records, visible to containers @param others more of them */
  static async open(
    program: string,
    directory: string,
    others: string[] = [],
    { apis = {}, vendors = [], internet = {} }: Outside = {},
  ): Promise<LiveTenant> {
    // A container sees the files that its gateway's command names; `run.mjs` ignores the others.
    chmodSync(directory, 0o755);
    const recorder = join(directory, "network-record.mjs");
    copyFileSync(RECORDER, recorder);
    const preloads = ["--import", recorder];
    const files = [...others];
    const preloaded = join(directory, basename(VENDOR_HOST));
    copyFileSync(VENDOR_HOST, preloaded);
    for (const { host, certificate } of vendors) {
      preloads.push("--import", `${pathToFileURL(preloaded).href}?${new URLSearchParams({ host, certificate })}`);
      files.push(preloaded, certificate);
    }
    const laterVendor = { host: LATER_VENDOR, port: await reservedPort() };
    const named = [...Object.values(apis), `http://${laterVendor.host}:${laterVendor.port}`].map((url) => new URL(url));
    const { edge, close } = await openEdge({
      gatewayCommand: [process.execPath, ...preloads, RUN, program, ...files],
      internet: {
        ...Object.fromEntries(named.map(({ host, port }) => [host, `127.0.0.1:${port}`])),
        ...Object.fromEntries(vendors.map(({ host, port }) => [host, `127.0.0.1:${port}`])),
        ...internet,
      },
    });
    const tenant = new LiveTenant(edge, await openBrowser(), directory, apis, laterVendor, close);
    await tenant.deploy("basic");
    await addDemoUsers(edge);
    await tenant.running();
    return tenant;
  }

  async close(): Promise<void> {
    clearInterval(this.#collects);
    for (const { inside } of this.#ways.values()) inside.close();
    await this.#browser.close();
    await this.#close();
  }

  /** @param image tag of the containers' image */
  async deploy(plan: string, image = "1"): Promise<void> {
    const settings = platformSettings([{ slug: "acme", plan }]);
    const containerImage = `registry.cloudflare.com/account/gateway:${image}`;
    this.#images[containerImage] = {};
    await setImages(this.edge, this.#images);
    const platform = { ...settings["tenantry:platform"], channelApis: this.#channelApis, containerImage };
    this.stack = await stackOf(this.edge, { ...settings, "tenantry:platform": platform });
    await this.stack.up();
  }

  /** Returns an output of the stack. */
  async output(name: string): Promise<string> {
    return String((await this.stack?.outputs())?.[name]?.value);
  }

  /** Sets variables of the tenant's Worker that have no platform setting. */
  bind(texts: Record<string, string>): void {
    const script = this.edge.store.get("script", "tenants/tenant-acme");
    if (script === undefined) throw new Error("there is no script");
    const others = script.bindings.filter(({ name }) => !(name in texts));
    const bound = Object.entries(texts).map(([name, text]) => ({ type: "plain_text", name, text }));
    this.edge.store.put("script", { ...script, bindings: [...others, ...bound] });
  }

  /** Returns a text or secret of the tenant's Worker. */
  binding(name: string): string {
    const script = this.edge.store.get("script", "tenants/tenant-acme");
    return z.string().parse(script?.bindings.find((binding) => binding.name === name)?.text);
  }

  /** Opens a browser with the control UI, logged in at Access and connected. */
  async enter(email: string): Promise<Entered> {
    const context = await this.#browser.newContext();
    await context.addInitScript(keepSockets);
    const own = new Set([`${ACME}:${this.edge.port}`, `${TEAM_DOMAIN}:${this.edge.port}`]);
    context.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (/^(?:http|ws)s?:$/.test(protocol) && !own.has(host)) this.pageFaults.push(`asks ${request.url()}`);
    });
    context.on("response", (response) => {
      // The loading page itself has status 503.
      if (response.status() >= 500 && response.request().resourceType() !== "document")
        this.pageFaults.push(`${response.status()} for ${response.url()}`);
    });
    const page = await context.newPage();
    const greeted = Promise.withResolvers<string[]>();
    const cut = Promise.withResolvers<void>();
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => {
        const { payload: said } = JSON.parse(String(payload)) as {
          payload?: { type?: string; auth?: { scopes: string[] } };
        };
        if (said?.type !== "hello-ok") return;
        greeted.resolve(said.auth?.scopes ?? []);
        socket.on("close", () => cut.resolve());
      });
    });
    await page.goto(`http://${ACME}:${this.edge.port}/`);
    await page.getByLabel(/e-?mail/i).fill(email);
    await page.getByRole("button").first().click();
    await pictured(page, "no-entry", composer(page));
    return { context, page, scopes: await greeted.promise, cut: cut.promise };
  }

  /** Sends a request by the page's own connection. @throws Error with the gateway's message */
  async ask(page: Page, method: string, params: object): Promise<unknown> {
    const frame: Frame = { type: "req", id: crypto.randomUUID(), method, params };
    const answer = answered.parse(JSON.parse(await page.evaluate(exchange, frame)));
    if (!answer.ok) throw new Error(`${method}: ${answer.error.message}`);
    return answer.payload;
  }

  /** Returns OpenClaw's configuration file. */
  async config(page: Page): Promise<Record<string, unknown>> {
    return configAnswer.parse(await this.ask(page, "config.get", {})).parsed;
  }

  /** Merges keys into OpenClaw's configuration, as its pages do. */
  async configure(page: Page, keys: object): Promise<void> {
    const { hash: baseHash } = configAnswer.parse(await this.ask(page, "config.get", {}));
    await this.ask(page, "config.patch", { raw: JSON.stringify(keys), baseHash });
  }

  /** Sends a message to the agent and waits for the mock's response. */
  async say(page: Page, text: string): Promise<void> {
    const send = async () => {
      await page.getByRole("textbox").last().fill(text);
      await page.keyboard.press("Enter");
      await page.getByText(text).last().waitFor({ timeout: SENT_MS });
    };
    // The page reloads itself once when its settings arrive, and loses what was typed.
    await send().catch(send);
    const answer = page.getByText("This is a mock of openai").last();
    await pictured(page, "no-answer", answer.waitFor({ timeout: PATIENCE_MS }));
  }

  async invoke(email: string, tool: string, args: object): Promise<Answer> {
    const headers = { ...(await loggedIn(this.edge, email, ACME)), "content-type": "application/json" };
    return call(this.edge, ACME, "/tools/invoke", { method: "POST", headers, body: JSON.stringify({ tool, args }) });
  }

  async history(email: string): Promise<string> {
    return (await this.invoke(email, "sessions_history", { sessionKey: "agent:main:main" })).body;
  }

  /** Waits until the main session contains a word, shortly after the page does. */
  async remembers(email: string, word: string): Promise<void> {
    await expect.poll(() => this.history(email), { timeout: PATIENCE_MS, interval: 500 }).toContain(word);
  }

  /** Starts the gateway and waits for it. */
  running(): Promise<Answer> {
    return this.health(({ startup }) => startup.ok);
  }

  /** Requests the tenant's health, which starts its gateway, until it matches. */
  health(accept: (snapshot: HealthSnapshot) => boolean): Promise<Answer> {
    return callUntil(
      () => call(this.edge, ACME, "/api/health"),
      ({ status, body }) => status === 200 && accept(healthSnapshot.parse(JSON.parse(body))),
    );
  }

  /** Returns the gateway's log as administrators see it. */
  async log(): Promise<string> {
    const headers = await loggedIn(this.edge, ADA, ACME);
    return (await call(this.edge, ACME, "/api/admin/gateway/log", { headers })).body;
  }

  gateways() {
    return gatewayProcesses(engineMark(join(this.edge.directory, "containers"))).filter(
      ({ type }) => type === "gateway",
    );
  }

  /** Returns the URL of a gateway's own port, on this machine. @param gateway Default: the one that runs */
  ownUrl(gateway = this.gateways()[0]): Promise<string> {
    if (gateway === undefined) throw new Error("there is no gateway");
    const { pid, port } = gateway;
    const known = this.#ways.get(pid);
    if (known !== undefined) return known.url;
    const inside = new Inside(pid);
    const url = inside.forward(port).then((own) => `http://127.0.0.1:${own}`);
    this.#ways.set(pid, { inside, url });
    return url;
  }

  /** Returns model calls of the tenant's AI gateway, newest first. */
  async modelCalls() {
    const api = new Cloudflare({ apiToken: this.edge.apiToken, baseURL: this.edge.apiUrl, maxRetries: 0 });
    return (await api.aiGateway.logs.list("pool-a", { account_id: ACCOUNT_ID })).result;
  }

  /** Returns network requests of the gateway's programs, and which programs they were. */
  recorded(): Recorded[] {
    this.#collect();
    const names = readdirSync(this.#directory).filter((name) => name.endsWith(RECORD));
    const text = names.map((name) => readFileSync(join(this.#directory, name), "utf8")).join("");
    return text
      .trimEnd()
      .split("\n")
      .map((line) => recorded.parse(JSON.parse(line)));
  }

  /** Returns those requests that left this machine, or programs that may send them. */
  outside(): Recorded[] {
    return this.recorded().filter(isOutside);
  }

  /** Saves the records of containers before their disks are deleted. */
  #collect(): void {
    for (const path of this.#paths(RECORD)) {
      try {
        const name = path.replaceAll("/", "-");
        copyFileSync(path, join(this.#directory, `${statSync(path).ino}${name}`));
      } catch {
        // Just deleted.
      }
    }
  }

  /** Returns the logs of existing containers. */
  #paths(name: string): string[] {
    const workspaces = workspacesOf(join(this.edge.directory, "containers"));
    return workspaces.map((workspace) => join(workspace, "logs", name)).filter((path) => existsSync(path));
  }
}
