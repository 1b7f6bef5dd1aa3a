import * as postgresql from "@pulumi/postgresql";
import * as pulumi from "@pulumi/pulumi";
import { rightsRole, SCHEMA_GRANTS, SCHEMAS } from "#database/callers/grants.ts";
import { type CallerKind, databaseRoles, rootKinds } from "#database/callers/roles.ts";
import { type DatabaseAddress, databaseAddress, databaseUrl } from "#database/connection/address.ts";
import { QUEUE_VERSION, queueSchema } from "#database/work/queue-schema.ts";
import type { Environment } from "#domain/environment.ts";
import type { Rotation } from "#domain/rotation.ts";
import { Migrations } from "../resources/migrations.ts";
import { RightsRoles } from "../resources/rights-roles.ts";
import { TenantryProvider } from "../resources/tenantry-provider.ts";
import { type DatabaseLogin, databaseLogin } from "./database-login.ts";

export interface DatabaseArgs {
  environment: Environment;
  /** PostgreSQL URL with the rights to create roles and schemas. Held as a secret. */
  adminUrl: string;
  /** Role the REST layer logs in as; it is granted the dispatch role. Default: none. */
  restAuthenticator?: string | undefined;
  /** How far the rotation of the logins is. Default: they were never rotated. */
  rotation?: Rotation | undefined;
  /** Whether the engine refuses to delete the schemas' history. Default: false. */
  protect?: boolean;
}

/**
 * Schemas, migrations, and one role a caller with the least rights it can do with. Environments may share a database, so that
 * schemas stay when a stack is destroyed; its rows go as the records they are.
 *
 * @example
 * ```ts
 * const database = new Database("database", { environment: "production", adminUrl });
 * ```
 */
export class Database extends pulumi.ComponentResource {
  /** Provider for rows, logged in as the provisioner. */
  readonly provider: TenantryProvider;
  /** Provider that logs in as the database's owner, and so waits for nothing that is made here. */
  readonly owner: TenantryProvider;
  /** URL of the provisioner, for stacks of tenants. A secret. */
  readonly provisionerUrl: pulumi.Output<string>;
  readonly dashboard: DatabaseLogin;
  /** URL of the automation service's role. A secret. */
  readonly serviceUrl: pulumi.Output<string>;
  /** The schemas as the Workers know them. */
  readonly migrations: pulumi.Resource;
  readonly address: DatabaseAddress;

  constructor(name: string, args: DatabaseArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:Database", name, {}, opts);
    const { environment, adminUrl } = args;
    const address = databaseAddress(adminUrl);
    const roles = databaseRoles(environment);

    const server = new postgresql.Provider(
      "postgresql",
      {
        host: address.host,
        port: address.port,
        database: address.database,
        username: address.user,
        password: pulumi.secret(address.password),
        sslmode: address.sslmode,
        superuser: false,
      },
      { parent: this },
    );
    const child = { parent: this, provider: server };
    this.owner = new TenantryProvider("tenantry-owner", { databaseUrl: adminUrl }, { parent: this });

    const dispatch = new postgresql.Role("dispatch", { name: roles.dispatch, login: false }, child);
    const rights = new RightsRoles("rights", { parent: this, provider: this.owner });
    const member = { ...child, dependsOn: [rights] };
    // Each update of a role, as of its password, ends the memberships that `roles` does not list.
    const has = (kind: CallerKind) => ({ roles: [rightsRole(kind)] });
    const logsIn = { environment, rotation: args.rotation, owner: this.owner };
    const provisioner = databaseLogin("provisioner", { ...logsIn, ...has("provisioner") }, member);
    const service = databaseLogin("service", { ...logsIn, ...has("service") }, member);
    const roots = rootKinds.map(
      (kind) => [kind, new postgresql.Role(kind, { name: roles[kind], login: false, ...has(kind) }, member)] as const,
    );
    // It has no rights of its own: a request takes a root's role, by name, and loses it with its transaction.
    const dashboard = databaseLogin(
      "dashboard",
      { ...logsIn, inherit: false, roles: roots.map(([, root]) => root.name) },
      child,
    );
    for (const [kind, root] of roots) {
      new postgresql.GrantRole(`dashboard-${kind}`, { role: dashboard.role.name, grantRole: root.name }, child);
    }
    if (args.restAuthenticator !== undefined) {
      new postgresql.GrantRole("rest-authenticator", { role: args.restAuthenticator, grantRole: dispatch.name }, child);
    }

    const schemas = SCHEMAS.map(
      (schema) =>
        new postgresql.Schema(
          schema,
          { name: schema, database: address.database, ifNotExists: true },
          { ...child, retainOnDelete: true },
        ),
    );
    const byKind: Readonly<Record<CallerKind, postgresql.Role>> = {
      dispatch,
      dashboard: dashboard.role,
      provisioner: provisioner.role,
      service: service.role,
      ...(Object.fromEntries(roots) as Record<(typeof rootKinds)[number], postgresql.Role>),
    };
    this.migrations = new Migrations(
      "migrations",
      { queue: { schema: queueSchema(environment), role: service.role.name, version: QUEUE_VERSION } },
      // The schema makes the roles members of those that have its rights.
      {
        parent: this,
        provider: this.owner,
        dependsOn: [...schemas, ...Object.values(byKind)],
        protect: args.protect ?? false,
      },
    );

    // One after another: PostgreSQL refuses two changes of an object's rights at once ("tuple concurrently updated").
    const grants: pulumi.Resource[] = [];
    for (const { to, schema, objectType, privileges } of SCHEMA_GRANTS) {
      const grant = {
        database: address.database,
        role: byKind[to].name,
        schema,
        objectType,
        privileges: [...privileges],
      };
      const last = { ...child, dependsOn: grants.at(-1) ?? this.migrations };
      grants.push(new postgresql.Grant(`${to}-${objectType}`, { ...grant, objects: [] }, last));
      if (objectType !== "function") continue;
      // Grants reach what is there now; what later migrations make gets its rights when it is made.
      new postgresql.DefaultPrivileges(
        `${to}-${objectType}`,
        { ...grant, owner: address.user },
        { ...child, dependsOn: schemas },
      );
    }

    const urlOf = ({ user, password }: DatabaseLogin) =>
      pulumi.secret(
        pulumi.all([user, password]).apply(([user, password]) => databaseUrl({ ...address, user, password })),
      );
    this.provisionerUrl = urlOf(provisioner);
    this.serviceUrl = urlOf(service);
    this.provider = new TenantryProvider(
      "tenantry",
      { databaseUrl: this.provisionerUrl },
      // All of them come before the last. The engine walks each path of dependencies where a removal is refused.
      { parent: this, dependsOn: grants.slice(-1) },
    );
    this.dashboard = dashboard;
    this.address = address;
    this.registerOutputs({});
  }
}
