/** Deploys the demo's platform to an edge, or shows the one of the last start and then checks it. */
import { request } from "node:http";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Edge } from "../edge.ts";
import { engineTarget } from "../engine-target.ts";
import type { ServiceRestart } from "../service-restart.ts";
import { describeEdge, type EdgeFile, readEdgeFile, writeEdgeFile } from "../state/edge-file.ts";
import { saveSecrets } from "../state/secrets.ts";
import { Automation } from "./automation.ts";
import { addDemoHistory } from "./demo-data/demo-history.ts";
import { demoWarnings } from "./demo-data/warnings.ts";
import { demoUsers } from "./demo-users.ts";
import { DeploymentError, deployInProcess } from "./deployer/deployer.ts";
import { LastRun } from "./deployer/last-run.ts";
import { type DeployedOutputs, type Deployment, type DeploymentJob, deployedOutputs } from "./deployer/messages.ts";
import type { Options } from "./options.ts";
import type { ProgressView } from "./progress.ts";
import { declaredEnvironment, forgetSalt, stateEnvironment } from "./project.ts";
import { welcomeText } from "./welcome.ts";

const STACK = "local";
export const SETTINGS = join(import.meta.dirname, "../../Pulumi.local.yaml");
const HEALTH_TIMEOUT_MS = 10_000;

export class DemoPlatform {
  readonly #edge: Edge;
  readonly #options: Options;
  readonly #view: ProgressView;
  readonly #ended: AbortSignal;
  readonly #job: DeploymentJob;
  readonly #lastRun: LastRun;
  readonly #automation: Automation;

  /** @param healthPort port of the automation service's health checks @param ended stops a deployment gracefully */
  constructor(edge: Edge, options: Options, view: ProgressView, healthPort: number, ended: AbortSignal) {
    this.#edge = edge;
    this.#options = options;
    this.#view = view;
    this.#ended = ended;
    this.#job = {
      directory: options.state,
      target: engineTarget.parse(edge),
      name: STACK,
      settings: SETTINGS,
      vendorPlugins: options.vendorPlugins,
    };
    this.#lastRun = new LastRun(this.#job, edge.store);
    const { directory, target, vendorPlugins } = this.#job;
    const engine = stateEnvironment(directory, target, undefined, vendorPlugins);
    this.#automation = new Automation(edge, declaredEnvironment(SETTINGS), healthPort, {
      ...engine,
      PLATFORM_STACK: STACK,
    });
  }

  /**
   * Shows the addresses as soon as they are valid: at once when nothing has changed since the last start. Resolves after deployment, or
   * after a check that follows has reported its result.
   *
   * @throws DeploymentError when a deployment failed before anything was shown, or was stopped
   */
  async open(): Promise<void> {
    const known = this.#lastRun.recall();
    if (known !== undefined && (await this.#isHealthy(known))) {
      this.#show(known);
      await this.#check(known);
      return;
    }
    const outputs = await this.#view.step("Deploying the stack", () => this.#deploy());
    if (!this.#ended.aborted) this.#show(outputs);
  }

  /** Restarts the automation service with rotated secrets. @returns whether it serves the stack */
  async restartService({ stack, variables }: ServiceRestart): Promise<boolean> {
    if (stack.split("/").at(-1) !== STACK) return false;
    const { PULUMI_CONFIG_PASSPHRASE: passphrase } = variables;
    const { state } = this.#options;
    if (passphrase !== undefined) {
      saveSecrets(state, { passphrase });
      forgetSalt(state, STACK);
      writeEdgeFile(state, { ...readEdgeFile(state), passphrase });
    }
    await this.#automation.restart(variables);
    return true;
  }

  close(): Promise<void> {
    return this.#automation.stop();
  }

  async #deploy(onPlan: (total: number) => void = () => {}): Promise<Deployment> {
    const { resource } = this.#view;
    const { outputs, warnings } = await deployInProcess(this.#job, { onPlan, onStep: resource, signal: this.#ended });
    this.#view.resourcesDone();
    warnings.push(...demoWarnings(await addDemoHistory(this.#edge), this.#options.state));
    for (const warning of warnings) this.#view.note(warning);
    this.#lastRun.remember(outputs);
    if (!this.#ended.aborted) this.#automation.start(outputs);
    return outputs;
  }

  async #check(known: DeployedOutputs): Promise<void> {
    let isDeploying = false;
    this.#view.note("Nothing has changed since the last start; checking what is deployed…");
    try {
      const outputs = await this.#deploy((total) => {
        isDeploying = true;
        this.#view.note(`The check found ${total === 1 ? "1 change" : `${total} changes`}; deploying…`);
      });
      this.#view.note(isDeploying ? "Deployed the changes." : "Checked: everything is up to date.");
      if (!isDeepStrictEqual(deployedOutputs.parse(outputs), known)) this.#show(outputs);
    } catch (error) {
      if (!(error instanceof DeploymentError)) throw error;
      if (error.cancelled && !isDeploying) return;
      this.#lastRun.forget();
      if (error.cancelled) throw error;
      process.stderr.write(
        `\n  THE CHECK FAILED. The edge continues with the previous deployment, without the automation service. The next start plans first.\n\n${error.message}\n`,
      );
    }
  }

  #show({ tenants, dashboard }: DeployedOutputs): void {
    const file = this.#describe(tenants);
    writeEdgeFile(this.#options.state, file);
    process.stdout.write(welcomeText(file, dashboard, this.#options));
  }

  #isHealthy({ tenants }: DeployedOutputs): Promise<boolean> {
    const [host = new URL(this.#edge.dispatchUrls.production).hostname] = Object.values(tenants);
    const { port } = this.#edge;
    return new Promise((resolve) => {
      const options = { host: "127.0.0.1", port, path: "/api/health?passive=1", timeout: HEALTH_TIMEOUT_MS };
      const sent = request({ ...options, headers: { host: `${host}:${port}` } }, (response) => {
        response.resume();
        resolve((response.statusCode ?? 500) < 500);
      });
      sent.on("timeout", () => sent.destroy());
      sent.on("error", () => resolve(false));
      sent.end();
    });
  }

  #describe(tenants: Record<string, string>): EdgeFile {
    const { port } = this.#edge;
    return describeEdge(this.#edge, {
      automation: this.#automation.healthUrl,
      tenants: Object.entries(tenants).map(([slug, hostname]) => ({ slug, url: `http://${hostname}:${port}` })),
      users: [
        { email: "root@tenantry.example", role: "ROOT", tenant: null },
        ...demoUsers.flatMap(({ email, role, tenant }) => (tenant in tenants ? [{ email, role, tenant }] : [])),
      ],
    });
  }
}
