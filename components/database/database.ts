import * as postgresql from "@pulumi/postgresql";
import * as pulumi from "@pulumi/pulumi";
import { rightsRole, SCHEMA_GRANTS, SCHEMAS } from "#database/callers/grants.ts";
import { type CallerKind, databaseRoles, personKinds } from "#database/callers/roles.ts";
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
  /** PostgreSQL URL of a role that can create roles and schemas. Stored as a secret. */
  adminUrl: string;
  /** Role of the REST layer, which is granted the dispatch role. Default: none. */
  restAuthenticator?: string | undefined;
  rotation?: Rotation | undefined;
  /** Whether the engine refuses to delete the migrations. Default: false. */
  protect?: boolean;
}

/**
 * Schemas, migrations, and one role with the least rights for each kind of caller. Environments can share a database, so the
 * schemas survive when a stack is destroyed.
 * @example
 * ```ts
 * const database = new Database("database", { environment: "production", adminUrl });
 * ```
 */
export class Database extends pulumi.ComponentResource {
  readonly provider: TenantryProvider;
  /** Provider logged in as the database's owner, which depends on no other resource. */
  readonly owner: TenantryProvider;
  /** A secret. */
  readonly provisionerUrl: pulumi.Output<string>;
  readonly dashboard: DatabaseLogin;
  /** A secret. */
  readonly serviceUrl: pulumi.Output<string>;
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
    // Each update of a role, such as of its password, ends the memberships that `roles` does not list.
    const memberOf = (kind: CallerKind) => ({ roles: [rightsRole(kind)] });
    const login = { environment, rotation: args.rotation, owner: this.owner };
    const provisioner = databaseLogin("provisioner", { ...login, ...memberOf("provisioner") }, member);
    const service = databaseLogin("service", { ...login, ...memberOf("service") }, member);
    const people = personKinds.map(
      (kind) =>
        [kind, new postgresql.Role(kind, { name: roles[kind], login: false, ...memberOf(kind) }, member)] as const,
    );
    // It has no rights of its own: each transaction sets the role of a person.
    const dashboard = databaseLogin(
      "dashboard",
      { ...login, inherit: false, roles: people.map(([, person]) => person.name) },
      child,
    );
    for (const [kind, person] of people) {
      new postgresql.GrantRole(`dashboard-${kind}`, { role: dashboard.role.name, grantRole: person.name }, child);
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
      ...(Object.fromEntries(people) as Record<(typeof personKinds)[number], postgresql.Role>),
    };
    this.migrations = new Migrations(
      "migrations",
      { queue: { schema: queueSchema(environment), role: service.role.name, version: QUEUE_VERSION } },
      // The migrations make the roles members of the roles that have rights.
      {
        parent: this,
        provider: this.owner,
        dependsOn: [...schemas, ...Object.values(byKind)],
        protect: args.protect ?? false,
      },
    );

    // In sequence, because PostgreSQL rejects concurrent changes of an object's rights ("tuple concurrently updated").
    const grants: pulumi.Resource[] = [];
    for (const { to, schema, objectType, privileges } of SCHEMA_GRANTS) {
      const grant = {
        database: address.database,
        role: byKind[to].name,
        schema,
        objectType,
        privileges: [...privileges],
      };
      const options = { ...child, dependsOn: grants.at(-1) ?? this.migrations };
      grants.push(new postgresql.Grant(`${to}-${objectType}`, { ...grant, objects: [] }, options));
      if (objectType !== "function") continue;
      // Grants cover existing functions only; default privileges cover those of later migrations.
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
      // The last grant depends on all others. With one dependency the engine has fewer paths to walk.
      { parent: this, dependsOn: grants.slice(-1) },
    );
    this.dashboard = dashboard;
    this.address = address;
    this.registerOutputs({});
  }
}
