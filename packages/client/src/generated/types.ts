// `npm run client:generate` writes this file from the OpenAPI document.

export interface components {
    schemas: {
        EgressTraffic: {
            /** @description The host, or an IP address. */
            host: string;
            /** @description Port of the host. */
            port: number;
            /** @description Product of the `User-Agent`, as the program states it; null for none. */
            program: string | null;
            /** @description Number of requests. */
            requests: number;
            /** @description Number of these that were refused. */
            refused: number;
            /** @description Bytes of request bodies. */
            sent_bytes: number;
            /** @description Bytes of response bodies. */
            received_bytes: number;
            /**
             * Format: date-time
             * @description When the first request was sent.
             */
            first_at: string;
            /**
             * Format: date-time
             * @description When the last request was sent.
             */
            last_at: string;
            /** @description Why the last refused request was refused; null for none. */
            reason: ("not-listed" | "port" | "method" | "private-address" | "control-host" | "scheme") | null;
        };
        Incident: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the instance.
             */
            instance_id: string;
            /** @description The client that it belongs to. */
            client: {
                /**
                 * Format: uuid
                 * @description ID of the object.
                 */
                id: string;
                /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                slug: string;
            };
            /** @description Kind of the incident, such as `gateway_dead`. */
            kind: string;
            /** @description What failed. */
            cause: string;
            /** @description What to do. */
            remedy: string;
            /**
             * Format: date-time
             * @description When the incident was opened.
             */
            opened_at: string;
            /** @description Who acknowledged the incident first, and when; null before. */
            acknowledged: {
                /**
                 * Format: date-time
                 * @description When it was acknowledged.
                 */
                at: string;
                /** @description E-mail address of the user. */
                by: string;
            } | null;
            /** @description When the incident was closed; null while it is open. */
            closed_at: string | null;
        };
        Job: {
            /**
             * Format: uuid
             * @description ID of the job.
             */
            id: string;
            /**
             * @description The operation.
             * @enum {string}
             */
            kind: "provision" | "deprovision" | "change_plan" | "freeze" | "resume" | "assign_gateway" | "rotate_token" | "final_backup" | "adopt_version" | "restore_backup" | "delete_client" | "invalidate" | "redeploy" | "push_channels" | "push_provider_keys" | "push_egress";
            /**
             * @description `queued`, `running`, or how the job ended.
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description ID of the client; null once the client is deleted. */
            client_id: string | null;
            /** @description ID of the instance; null once the instance is deleted. */
            instance_id: string | null;
            /** @description Slug of the client. */
            slug: string;
            /** @description Generation of the instance that the job is for; null if it is for none. */
            generation: number | null;
            /** @description The rollout that the job belongs to, which alone can cancel it; null without one. */
            rollout_id: string | null;
            /** @description ID of the backup that a job of kind `restore_backup` restores; null for other kinds. */
            backup_id: string | null;
            /** @description Why it failed or was cancelled, and what to do; null otherwise. */
            cause: string | null;
            /** @description Number of attempts so far. */
            attempts: number;
            /** @description Percent done, for jobs that deploy; 100 after success. */
            progress: number;
            /** @description E-mail address of the user who requested it, or `service`. */
            requested_by: string;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            created_at: string;
            /** @description When it started; null before. */
            started_at: string | null;
            /** @description When it ended; null before. */
            ended_at: string | null;
            /** @description Earliest start of the job; null for none. */
            not_before: string | null;
            /**
             * Format: date-time
             * @description Until when it may run.
             */
            deadline: string;
            /** @description ID of the newest later job of this kind for the same client; null without one. */
            followed_by: string | null;
        };
        JsonValue: unknown;
        AiGateway: {
            /**
             * Format: uuid
             * @description ID of the pool entry.
             */
            id: string;
            /** @description ID of the gateway at Cloudflare. */
            gateway_id: string;
            /** @description The one environment whose instances can bind it; null for any. */
            environment: ("production" | "staging" | "development") | null;
            /**
             * @description The only environment whose dashboard can change the entry.
             * @enum {string}
             */
            declared_by: "production" | "staging" | "development";
            /** @description Whether new instances can bind it. */
            enabled: boolean;
            /** @description How many instances can bind it. */
            max_instances: number;
            /** @description How many instances bind it, in all environments. */
            bound: number;
            /**
             * @description Who can change the object: a stack file in Git, or the dashboard and this API.
             * @enum {string}
             */
            managed_by: "git" | "dashboard";
            /** @description Stack file in Git that declares the object; null for an object of the dashboard, or if the file is unknown. */
            declared_in: string | null;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the object was last changed.
             */
            updated_at: string;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        AuditEntry: {
            /** @description Increases with each entry. */
            id: string;
            /**
             * Format: date-time
             * @description When the row changed.
             */
            at: string;
            /** @description E-mail address of a dashboard user, name of a stack in Git, `service`, or a database user. */
            actor: string;
            /** @description Kind of the actor. */
            actor_kind: string;
            /**
             * @description What happened to the row.
             * @enum {string}
             */
            action: "insert" | "update" | "delete";
            /** @description Name of the changed table, such as `clients`. */
            entity: string;
            /** @description ID of the changed row. */
            entity_id: string;
            /** @description Partner that the row belongs to; null without one. */
            partner_id: string | null;
            /** @description Client that the row belongs to; null without one. */
            client_id: string | null;
            /** @description Row before the change; null for an insert. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description Row after the change; null for a delete. */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description Address of the client's user whose access, token or subdivision was changed; null for other entities. */
            user_email: string | null;
            /** @description IP address of the request; null for a change without one. */
            source: string | null;
            /** @description ID of the request, as in Cloudflare's logs; null for a change without one. */
            request_id: string | null;
        };
        Client: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
            slug: string;
            /** @description Display name. */
            name: string;
            /**
             * @description Billing plan: limits, container size and price.
             * @enum {string}
             */
            billing_plan: "free" | "basic" | "pro" | "enterprise";
            /**
             * @description `draft` takes no traffic in production; `active` and `production` do. The status moves one step at a time.
             * @enum {string}
             */
            status: "draft" | "active" | "production";
            /**
             * @description Who can change the object: a stack file in Git, or the dashboard and this API.
             * @enum {string}
             */
            managed_by: "git" | "dashboard";
            /** @description Stack file in Git that declares the object; null for an object of the dashboard, or if the file is unknown. */
            declared_in: string | null;
            /** @description The partner that owns the client; null for an internal client. */
            partner: {
                /**
                 * Format: uuid
                 * @description ID of the object.
                 */
                id: string;
                /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                slug: string;
                /** @description Display name. */
                name: string;
            } | null;
            /** @description The client's instance; null without one. */
            instance: {
                /**
                 * Format: uuid
                 * @description ID of the object.
                 */
                id: string;
                /**
                 * @description Current status.
                 * @enum {string}
                 */
                status: "provisioning" | "running" | "frozen" | "stopped" | "error";
                /**
                 * @description Environment of the platform.
                 * @enum {string}
                 */
                environment: "production" | "staging" | "development";
                /** @description What froze the instance; null while it is not frozen. `client`: an ADMIN. A partner root cannot resume what the platform froze, an ADMIN only what an ADMIN froze, and only credit resumes what credit froze. */
                frozen_by: ("platform" | "partner" | "client" | "credit" | "deletion") | null;
                /** @description ID of its AI gateway at Cloudflare; null before it has one. */
                ai_gateway_id: string | null;
                /** @description Whether the AI gateway belongs to the pool. */
                ai_gateway_pooled: boolean;
            } | null;
            /** @description End of the grace period of a deleted client; null for others. */
            delete_after: string | null;
            /** @description Who deleted the client; null for others. `client`: an ADMIN. A partner root cannot restore what the platform deleted, an ADMIN only what an ADMIN deleted, and only credit restores what credit deleted. */
            deletion_by: ("platform" | "partner" | "client" | "credit") | null;
            /** @description Whether rollouts reach the tenant before all others. */
            canary: boolean;
            /** @description When changes that are not urgent may interrupt the tenant; null: at any time. */
            maintenance_window: {
                /** @description Length of the period in days, which ends now. */
                days: number[];
                /** @description Local time at which it opens, as HH:MM. */
                start: string;
                /** @description How many hours it is open. */
                hours: number;
                /** @description Time zone of the local time, such as Europe/Berlin. */
                time_zone: string;
            } | null;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the object was last changed.
             */
            updated_at: string;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        ClientPreview: {
            /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
            slug: string;
            /** @description Host of the tenant; null for an invalid slug. */
            hostname: string | null;
            /**
             * @description Billing plan: limits, container size and price.
             * @enum {string}
             */
            billing_plan: "free" | "basic" | "pro" | "enterprise";
            /** @description The partner; null without one. */
            partner: {
                /**
                 * Format: uuid
                 * @description ID of the object.
                 */
                id: string;
                /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                slug: string;
                /** @description Display name. */
                name: string;
            } | null;
            /** @description Size of the container, by the plan. */
            container: {
                /**
                 * @description Cloudflare's instance type.
                 * @enum {string}
                 */
                type: "lite" | "basic" | "standard-1" | "standard-2" | "standard-3" | "standard-4";
                /** @description Memory in MiB. */
                memory_mib: number;
                /** @description Share of virtual CPUs. */
                vcpu: number;
                /** @description Disk in GB. */
                disk_gb: number;
            };
            /** @description AI gateway that the tenant would bind; null if none is available. */
            ai_gateway: {
                /**
                 * @description `pooled`: shared. `dedicated`: created for the tenant.
                 * @enum {string}
                 */
                kind: "pooled" | "dedicated";
                /** @description ID of the gateway at Cloudflare; null for an invalid slug. */
                id: string | null;
            } | null;
            /** @description Monthly fee in millionths of a US dollar, due from the status `active` on; null for a plan without a price. */
            monthly_fee_micros: number | null;
            /** @description What prevents the creation of the client or instance. Empty if nothing does. */
            faults: {
                /**
                 * @description What the fault belongs to.
                 * @enum {string}
                 */
                of: "slug" | "ai_gateway";
                /** @description What is wrong, and what to do. */
                message: string;
            }[];
        };
        ClientUser: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the client.
             */
            client_id: string;
            /** @description E-mail address, in lower case. */
            email: string;
            /** @description Display name. */
            name: string;
            /**
             * @description `ADMIN` manages the gateway of a client, `BASE_USER` uses it.
             * @enum {string}
             */
            role: "ADMIN" | "BASE_USER";
            /**
             * @description `invited` until the user accepts or rejects. An expired or revoked invitation stays `invited`, with `expires_at` in the past.
             * @enum {string}
             */
            status: "invited" | "validated" | "rejected";
            /** @description When the user first got access; null before. */
            validated_at: string | null;
            /** @description Identity at the acceptance of the invitation; null before. */
            cf_access_identity: ({
                /** @description E-mail address, in lower case. */
                email: string;
                /** @description When the invitation was accepted. */
                accepted_at: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description IDs of the instances that the user can open. */
            instance_ids: string[];
            /** @description When the invitation expires; null once it is answered. */
            expires_at: string | null;
            /** @description State of the latest mail to the user; null without one. */
            mail_status: ("queued" | "sent" | "bounced" | "failed") | null;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the object was last changed.
             */
            updated_at: string;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        Credit: {
            /**
             * Format: uuid
             * @description ID of the client.
             */
            client_id: string;
            /** @description Sum of purchases, payments and corrections, in millionths of a US dollar. */
            purchased_micros: number;
            /** @description Sum of the consumption, in millionths of a US dollar. */
            consumed_micros: number;
            /** @description Purchases less consumption, in millionths of a US dollar. */
            balance_micros: number;
            /** @description Whether the client pays in advance, and its tenant stops without credit. */
            prepaid: boolean;
            /** @description Balance below which the client is warned, in millionths of a US dollar. */
            warn_below_micros: number;
            /** @description Whether the client is deleted some weeks after its credit is used up. */
            delete_when_exhausted: boolean;
            /**
             * @description `ok`, `warn` (low balance), `grace` (no credit), `frozen`, `final_backup`, and `deletion_due` before the deletion.
             * @enum {string}
             */
            state: "ok" | "warn" | "grace" | "frozen" | "final_backup" | "deletion_due";
            /**
             * Format: date-time
             * @description Since when.
             */
            state_since: string;
            /** @description When the next step is due; null if it depends on the credit only. */
            state_deadline: string | null;
            /** @description Whether the deletion of the client was requested, which a purchase does not cancel. */
            deletion_requested: boolean;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        CreditEntry: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /**
             * @description Kind of the booking.
             * @enum {string}
             */
            kind: "purchase" | "payment" | "consumption" | "correction";
            /** @description Amount in millionths of a US dollar; positive for income. */
            amount_micros: number;
            /** @description UTC day of the consumption; null for other entries. */
            day: string | null;
            /** @description Reference of the purchase or payment; null for other entries. */
            reference: string | null;
            /** @description Note for people. */
            note: string;
            /**
             * Format: date-time
             * @description When it was booked.
             */
            booked_at: string;
        };
        Error: {
            /** @description The error. */
            error: {
                /**
                 * @description General kind of the error; stable.
                 * @enum {string}
                 */
                code: "access_denied" | "authentication_required" | "client_not_active" | "conflict" | "egress_failed" | "egress_refused" | "forbidden" | "gateway_starting" | "gateway_timeout" | "gateway_unavailable" | "instance_frozen" | "instance_stopped" | "internal" | "invalid_request" | "limit_exceeded" | "managed_by_git" | "method_not_allowed" | "no_account_capacity" | "no_ai_gateway_capacity" | "not_found" | "payload_too_large" | "precondition_failed" | "tenant_not_found" | "tenant_unavailable" | "unsupported_media_type";
                /** @description The exact error; stable. Omitted for errors without one. */
                reason?: string;
                /** @description What failed, why, and what to do. */
                message: string;
                /** @description Values that depend on the error, such as the faults of each field. */
                details?: unknown;
            };
        };
        GlobalAnalytics: {
            /** @description The period of the figures. */
            period: {
                /**
                 * Format: date-time
                 * @description Start of the period.
                 */
                from: string;
                /**
                 * Format: date-time
                 * @description End of the period.
                 */
                to: string;
                /** @description Length of the period in days. */
                days: number;
            };
            /**
             * Format: date-time
             * @description When the figures were read; they are cached for a minute.
             */
            as_of: string;
            /** @description Number of tenants, by status. */
            tenants: {
                /** @description Number of all tenants. */
                total: number;
                /** @description Number of tenants by status of the client. */
                by_client_status: {
                    [key: string]: number;
                };
                /** @description Number of tenants by status of the instance; `none` counts clients without an instance. */
                by_instance_status: {
                    [key: string]: number;
                };
            };
            /** @description Usage of all tenants. */
            usage: {
                /** @description In the period. */
                current: {
                    [key: string]: number;
                };
                /** @description In the period of the same length before. */
                previous: {
                    [key: string]: number;
                };
            };
            /** @description One entry for each UTC day with usage. */
            series: {
                /**
                 * Format: date
                 * @description UTC day.
                 */
                day: string;
                /** @description Usage by metric, each in its unit: `ai_spend` in millionths of a US dollar, container metrics in seconds. */
                usage: {
                    [key: string]: number;
                };
            }[];
            /** @description The ten largest tenants by spend on models, then by container time. */
            top: {
                /**
                 * Format: uuid
                 * @description ID of the client.
                 */
                client_id: string;
                /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                slug: string;
                /** @description Display name. */
                name: string;
                /** @description ID of the partner; null for an internal client. */
                partner_id: string | null;
                /** @description Usage by metric, each in its unit: `ai_spend` in millionths of a US dollar, container metrics in seconds. */
                usage: {
                    [key: string]: number;
                };
            }[];
            /** @description One entry for each partner, and one for internal clients. Null for a partner root. */
            partners: {
                /** @description The partner; null without one. */
                partner: {
                    /**
                     * Format: uuid
                     * @description ID of the object.
                     */
                    id: string;
                    /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                    slug: string;
                    /** @description Display name. */
                    name: string;
                } | null;
                /** @description Number of tenants. */
                tenants: number;
                /** @description Usage of the partner's tenants. */
                usage: {
                    /** @description In the period. */
                    current: {
                        [key: string]: number;
                    };
                    /** @description In the period of the same length before. */
                    previous: {
                        [key: string]: number;
                    };
                };
            }[] | null;
        };
        Image: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /** @description Whether new tenants get this version. */
            default: boolean;
            /** @description When the version was withdrawn, so that no tenant can be changed to it; null for an available version. */
            withdrawn_at: string | null;
            /** @description Number of tenants. */
            tenants: number;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the object was last changed.
             */
            updated_at: string;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
            /** @description Name of the image with its digest. */
            reference: string;
            /** @description Name of the gateway, such as `openclaw`. */
            gateway: string;
            /** @description Version of the gateway in the image. */
            gateway_version: string;
            /** @description Note for people. */
            note: string;
            /** @description Release notes for users of tenants, as plain text; null if unknown. */
            release_notes: string;
        };
        Channel: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the instance.
             */
            instance_id: string;
            /**
             * @description The messenger.
             * @enum {string}
             */
            kind: "telegram" | "slack" | "slack-socket" | "discord" | "line" | "googlechat" | "msteams" | "irc" | "matrix";
            /**
             * @description How messages arrive. A `socket` channel is offline while the instance sleeps.
             * @enum {string}
             */
            transport: "webhook" | "socket";
            /** @description ID of the door that receives the bot's messages; null for a socket channel. */
            door_id: string | null;
            /** @description The bot at the vendor. */
            account: {
                /** @description The vendor's ID of the bot; of Slack, workspace and user. */
                id: string;
                /** @description Name of the bot. */
                name: string;
            };
            /**
             * @description `pushing`: the tenant does not have the present token yet. `push_failed`: it could not be sent. `token_rejected`: the vendor rejects it. `webhook_lost`: the vendor does not send the bot's messages to the door. `waiting_for_first_message`: the tenant has it. `connected`: the gateway has accepted a message. `sent`: the tenant has the token of a socket channel; the health of the instance says whether it is online.
             * @enum {string}
             */
            state: "pushing" | "push_failed" | "token_rejected" | "webhook_lost" | "waiting_for_first_message" | "connected" | "sent";
            /** @description Why the state is a fault, and what to do; null without one. */
            last_error: string | null;
            /**
             * Format: date-time
             * @description When the vendor last accepted the token.
             */
            checked_at: string;
            /** @description When the tenant received the present token; null until then. */
            pushed_at: string | null;
            /** @description When the gateway was first known to have accepted a message; null until then. */
            connected_at: string | null;
            /** @description When a verified request of the vendor last arrived, to the minute; null if never. */
            last_received_at: string | null;
            /** @description E-mail address of the user who connected it. */
            created_by: string;
            /** @description When the token was last replaced; null if never. */
            token_replaced_at: string | null;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the object was last changed.
             */
            updated_at: string;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        Door: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the instance.
             */
            instance_id: string;
            /**
             * @description Vendor or scheme, by which requests are verified.
             * @enum {string}
             */
            kind: "telegram" | "slack" | "discord" | "line" | "whatsapp" | "messenger" | "googlechat" | "msteams" | "github" | "gitlab" | "stripe" | "standard-webhooks" | "openclaw" | "hmac" | "bearer";
            /** @description Name of the door, unique in the instance. */
            name: string;
            /**
             * @description `disabled` refuses every request.
             * @enum {string}
             */
            state: "active" | "disabled";
            /** @description Last four characters of its key. */
            key_hint: string;
            /** @description Until when the former key is accepted; null if it is not. */
            former_key_until: string | null;
            /** @description Names of the secrets that are set. */
            secret_names: string[];
            /** @description Until when the former secrets are accepted; null if they are not. */
            former_until: string | null;
            /**
             * @description Who can change the object: a stack file in Git, or the dashboard and this API.
             * @enum {string}
             */
            managed_by: "git" | "dashboard";
            /** @description Stack file in Git that declares the object; null for an object of the dashboard, or if the file is unknown. */
            declared_in: string | null;
            /** @description E-mail address of the user who created it, or the stack that declares it. */
            created_by: string;
            /** @description When its key or secrets were last replaced; null if never. */
            rotated_at: string | null;
            /** @description When a verified request last arrived, to the minute; null if never. */
            last_used_at: string | null;
            /** @description When a request with its address was last refused, to the minute; null if never. */
            last_refused_at: string | null;
            /** @description Why it was refused and what to do; null if none was. The sender gets 404 for every reason. */
            last_refusal: string | null;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the object was last changed.
             */
            updated_at: string;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        Egress: {
            /**
             * @description The strictest mode of the policies, which holds.
             * @enum {string}
             */
            mode: "open" | "audit" | "allowlist";
            /** @description The policies, from the plan to the tenant. */
            layers: {
                /** @description Default of the billing plan. */
                plan: {
                    /**
                     * @description `open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.
                     * @enum {string}
                     */
                    mode: "open" | "audit" | "allowlist";
                    /**
                     * @description Hosts that the mode `allowlist` allows; other modes ignore them. Default: none.
                     * @default []
                     */
                    entries: {
                        /** @description A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address. */
                        host: string;
                        /** @description Default: 80 and 443. */
                        ports?: number[];
                        /** @description HTTP methods. Default: all. */
                        methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "PROPFIND" | "PROPPATCH" | "MKCOL" | "COPY" | "MOVE" | "LOCK" | "UNLOCK" | "REPORT" | "SEARCH")[];
                    }[];
                } | null;
                /** @description Bound of the platform; null if it states none. */
                platform: {
                    /**
                     * @description `open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.
                     * @enum {string}
                     */
                    mode: "open" | "audit" | "allowlist";
                    /**
                     * @description Hosts that the mode `allowlist` allows; other modes ignore them. Default: none.
                     * @default []
                     */
                    entries: {
                        /** @description A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address. */
                        host: string;
                        /** @description Default: 80 and 443. */
                        ports?: number[];
                        /** @description HTTP methods. Default: all. */
                        methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "PROPFIND" | "PROPPATCH" | "MKCOL" | "COPY" | "MOVE" | "LOCK" | "UNLOCK" | "REPORT" | "SEARCH")[];
                    }[];
                } | null;
                /** @description Policy of the client's partner; null if it states none. */
                partner: {
                    /**
                     * @description `open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.
                     * @enum {string}
                     */
                    mode: "open" | "audit" | "allowlist";
                    /**
                     * @description Hosts that the mode `allowlist` allows; other modes ignore them. Default: none.
                     * @default []
                     */
                    entries: {
                        /** @description A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address. */
                        host: string;
                        /** @description Default: 80 and 443. */
                        ports?: number[];
                        /** @description HTTP methods. Default: all. */
                        methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "PROPFIND" | "PROPPATCH" | "MKCOL" | "COPY" | "MOVE" | "LOCK" | "UNLOCK" | "REPORT" | "SEARCH")[];
                    }[];
                } | null;
                /** @description Policy of the tenant; null if it states none. */
                tenant: {
                    /**
                     * @description `open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.
                     * @enum {string}
                     */
                    mode: "open" | "audit" | "allowlist";
                    /**
                     * @description Hosts that the mode `allowlist` allows; other modes ignore them. Default: none.
                     * @default []
                     */
                    entries: {
                        /** @description A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address. */
                        host: string;
                        /** @description Default: 80 and 443. */
                        ports?: number[];
                        /** @description HTTP methods. Default: all. */
                        methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "PROPFIND" | "PROPPATCH" | "MKCOL" | "COPY" | "MOVE" | "LOCK" | "UNLOCK" | "REPORT" | "SEARCH")[];
                    }[];
                } | null;
            };
            /**
             * @description `none`: partner, tenant and secrets state nothing. `pushing`: the tenant does not have the present policies and secrets yet. `push_failed`: they could not be sent. `active`: the tenant has them.
             * @enum {string}
             */
            state: "none" | "pushing" | "push_failed" | "active";
            /** @description Why the last push failed, and what to do; null without a fault. */
            last_error: string | null;
            /** @description When the tenant last received policies and secrets; null if never. */
            pushed_at: string | null;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        EgressHosts: {
            /**
             * @description The mode that the tenant's Worker applies.
             * @enum {string}
             */
            mode: "open" | "audit" | "allowlist";
            /** @description Whether the running container has network access that the policy closes. A restart of the instance closes it. */
            restart_required: boolean;
            /** @description What the policy demands and the running container does not provide: `http`, `https` or `ports` are not intercepted, or its image lacks the `certificate`. */
            gaps: ("http" | "https" | "ports" | "certificate")[];
            /** @description The hosts by their last use, the newest first. */
            data: components["schemas"]["EgressTraffic"][];
        };
        EgressLoss: {
            /** @description The host, or an IP address. */
            host: string;
            /** @description Port of the host. */
            port: number;
            /** @description Product of the `User-Agent`, as the program states it; null for none. */
            program: string | null;
            /** @description Number of requests that were allowed. */
            requests: number;
            /**
             * Format: date-time
             * @description When the last request was sent.
             */
            last_at: string;
            /**
             * @description Why the policy would refuse them.
             * @enum {string}
             */
            reason: "not-listed" | "port" | "method" | "private-address" | "control-host" | "scheme";
        };
        EgressSecret: {
            /**
             * Format: uuid
             * @description ID of the secret. Another value has another ID.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the instance.
             */
            instance_id: string;
            /** @description Name of the secret, unique in the instance. */
            name: string;
            /** @description The host whose requests get the secret. */
            host: string;
            /** @description The header that has the secret. It replaces the container's header of this name. */
            header: string;
            /** @description E-mail address of the user who stored it. */
            created_by: string;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
        };
        ProviderKey: {
            /**
             * Format: uuid
             * @description ID of the key. Another key has another ID.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the instance.
             */
            instance_id: string;
            /**
             * @description The provider, by its name at AI gateways.
             * @enum {string}
             */
            provider: "anthropic" | "deepseek" | "google-ai-studio" | "grok" | "groq" | "mistral" | "openai" | "openrouter";
            /** @description The last four characters of the key. */
            key_hint: string;
            /**
             * @description `pushing`: the tenant does not have the key yet. `push_failed`: it could not be sent. `active`: the tenant uses it. `rejected`, `quota_exceeded`, `rate_limited`: so the provider responded to the last call.
             * @enum {string}
             */
            state: "pushing" | "push_failed" | "active" | "rejected" | "quota_exceeded" | "rate_limited";
            /** @description Why the state is a fault, in the provider's words if it reported it; null without one. */
            last_error: string | null;
            /** @description When the fault was last observed, to the minute; null without one. */
            last_error_at: string | null;
            /** @description When the tenant received the key; null until then. */
            pushed_at: string | null;
            /** @description When a call last used the key, to the minute; null if never. */
            last_used_at: string | null;
            /** @description E-mail address of the user who stored it. */
            created_by: string;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
        };
        Instance: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /** @description The client that it belongs to. */
            client: {
                /**
                 * Format: uuid
                 * @description ID of the object.
                 */
                id: string;
                /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                slug: string;
                /** @description Display name. */
                name: string;
            };
            /**
             * @description Environment of the platform.
             * @enum {string}
             */
            environment: "production" | "staging" | "development";
            /**
             * @description `provisioning`: being deployed. `running`: deployed, awake or asleep. `frozen`: takes no traffic. `stopped`: being removed. `error`: provisioning failed.
             * @enum {string}
             */
            status: "provisioning" | "running" | "frozen" | "stopped" | "error";
            /** @description Why the instance has its status; null if no reason was given. */
            state_cause: string | null;
            /** @description Until when a passing status may last; null for a stable one. */
            state_deadline: string | null;
            /** @description Number of operations that were started on the instance. */
            generation: number;
            /**
             * @description Who can change the object: a stack file in Git, or the dashboard and this API.
             * @enum {string}
             */
            managed_by: "git" | "dashboard";
            /**
             * @description Billing plan of its client.
             * @enum {string}
             */
            billing_plan: "free" | "basic" | "pro" | "enterprise";
            /** @description Name of its Worker in the dispatch namespace. */
            worker_name: string;
            /** @description AI gateway of the instance; null before it has one. */
            ai_gateway: {
                /** @description ID of the gateway at Cloudflare. */
                id: string;
                /** @description ID of the pool entry; null for a gateway outside the pool. */
                pool_id: string | null;
            } | null;
            /** @description The versions that the instance should run, and those that it reports. */
            runs: {
                /** @description Image that it should run; null for the platform's image. */
                image: {
                    /**
                     * Format: uuid
                     * @description ID of the object.
                     */
                    id: string;
                    /** @description Name of the image with its digest. */
                    reference: string;
                    /** @description Name of the gateway, such as `openclaw`. */
                    gateway: string;
                    /** @description Version of the gateway in the image. */
                    gateway_version: string;
                } | null;
                /** @description Worker that it should run; null for the Worker of the automation service, or of the checkout in Git. */
                worker: {
                    /**
                     * Format: uuid
                     * @description ID of the object.
                     */
                    id: string;
                    /** @description SHA-256 of the Worker's modules, in hexadecimal. */
                    content_hash: string;
                    /** @description Version of Tenantry that brought the Worker. */
                    release: string;
                } | null;
                /** @description Whether rollouts skip the instance. */
                pinned: boolean;
                /** @description What the instance last reported; null before its first report. */
                reported: {
                    /** @description Name of the running gateway; null if unknown. */
                    gateway: string | null;
                    /** @description Version of the running gateway; null if unknown. */
                    gateway_version: string | null;
                    /** @description Content hash of the running Worker; null if unknown. */
                    worker: string | null;
                    /**
                     * Format: date-time
                     * @description When it first reported these versions.
                     */
                    at: string;
                } | null;
                /** @description Whether it runs the versions that it should; null if that is unknown. */
                as_wanted: boolean | null;
                /** @description The next change that its administrators were notified of; null without one. */
                maintenance: {
                    /**
                     * Format: uuid
                     * @description ID of the rollout.
                     */
                    rollout_id: string;
                    /**
                     * Format: date-time
                     * @description Earliest time of the change.
                     */
                    from: string;
                } | null;
            };
            /** @description The newest job that has not ended; null without one. */
            job: components["schemas"]["Job"] | null;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the object was last changed.
             */
            updated_at: string;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        InstanceHealth: {
            /**
             * @description Current status.
             * @enum {string}
             */
            status: "provisioning" | "running" | "frozen" | "stopped" | "error";
            /** @description Why the instance has its status; null if no reason was given. */
            state_cause: string | null;
            /** @description Until when a passing status may last; null for a stable one. */
            state_deadline: string | null;
            /** @description Number of operations that were started on the instance. */
            generation: number;
            /** @description Result of a probe during the request. */
            gateway: {
                /**
                 * @description `up`, `down`, or `unknown` if the probe failed.
                 * @enum {string}
                 */
                state: "up" | "down" | "unknown";
                /** @description Phase of the gateway; null if the probe failed. A starting gateway is not up. */
                phase: ("running" | "starting" | "stopped") | null;
                /** @description Why the gateway is not up or could not be probed; null if it is up. */
                reason: string | null;
                /** @description Single results of the probe; null if the probe failed. */
                probes: {
                    /** @description Whether the gateway has started. */
                    startup_ok: boolean;
                    /** @description Whether the gateway accepts requests. */
                    readiness_ok: boolean;
                    /** @description Whether the gateway responds. */
                    liveness_ok: boolean;
                    /** @description Whether a backup existed at the last start. */
                    had_backup: boolean;
                    /** @description Whether the state was restored at the last start. */
                    restored: boolean;
                    /** @description Duration of the probe in milliseconds. */
                    latency_ms: number;
                } | null;
            };
            /** @description Last heartbeat of the container. */
            heartbeat: {
                /** @description Time of the heartbeat; null if none is known. */
                at: string | null;
                /** @description Why no heartbeat is known; null if one is. */
                reason: string | null;
            };
            /** @description State of the container; null if the probe failed. */
            sandbox: {
                /**
                 * @description Whether the container is awake or asleep.
                 * @enum {string}
                 */
                state: "awake" | "asleep" | "ending" | "unknown";
                /** @description Use of the disk; null if unknown. */
                disk: {
                    /** @description Used bytes. */
                    used_bytes: number;
                    /** @description Size in bytes. */
                    total_bytes: number;
                } | null;
                /** @description Use of the memory; null if unknown. */
                memory: {
                    /** @description Used bytes. */
                    used_bytes: number;
                    /** @description Size in bytes. */
                    total_bytes: number;
                } | null;
                /** @description Warnings, such as a scarce disk. */
                warnings: string[];
                /** @description When the container sleeps; null if its Worker does not report it. */
                sleep: {
                    /** @description Idle seconds after which it sleeps; null: never. */
                    after_seconds: number | null;
                    /** @description Seconds until it sleeps; null while it sleeps. */
                    remaining_seconds: number | null;
                    /** @description Whether it sleeps while socket channels are connected, by its plan. */
                    with_channels: boolean;
                    /** @description What keeps it awake while it is idle; null if nothing does. */
                    kept_awake: {
                        /**
                         * @description Kind of work that keeps it awake.
                         * @enum {string}
                         */
                        reason: "busy" | "channels" | "job" | "messages" | "no answer";
                        /** @description Details for people. */
                        details: string;
                    } | null;
                    /** @description When the gateway's next scheduled job is due; null without one. */
                    next_job_at: string | null;
                    /** @description When the container wakes for that job; null if it does not. */
                    wakes_at: string | null;
                } | null;
                /** @description Its socket channels; null if its Worker does not report them. */
                channels: {
                    /** @description Messenger, as the gateway names it. */
                    messenger: string;
                    /** @description Name of the messenger. */
                    label: string;
                    /** @description The gateway's name of the bot. */
                    account: string;
                    /**
                     * @description `offline_while_asleep`: it receives nothing until the instance wakes. `connecting`: the gateway starts or retries. `failed`: it has given up.
                     * @enum {string}
                     */
                    condition: "online" | "connecting" | "failed" | "offline_while_asleep";
                    /** @description Why it is not online; null if it is, or if the gateway does not say. */
                    reason: string | null;
                    /** @description Why the gateway was started without the channel. `configuration_rejected`: it rejects the channel's settings; `reason` has its text. `not_in_image`: the image does not support it. Null if it was not. */
                    cause: ("configuration_rejected" | "not_in_image") | null;
                    /** @description What to do about the cause; null without one. */
                    remedy: string | null;
                    /** @description Whether the platform connected it; else the tenant did within its gateway, such as WhatsApp. */
                    is_own: boolean;
                    /** @description Whether it keeps the instance awake while it is connected, by the plan. */
                    keeps_awake: boolean;
                    /** @description Kind of channel that receives messages of this messenger while the instance sleeps; null without one. */
                    webhook_kind: string | null;
                }[] | null;
            } | null;
            /** @description The latest probe of the automation service; null before the first. */
            latest: {
                /**
                 * Format: date-time
                 * @description Time of the entry.
                 */
                at: string;
                /** @description Whether the gateway has started. */
                startup_ok: boolean;
                /** @description Whether the gateway accepts requests. */
                readiness_ok: boolean;
                /** @description Whether the gateway responds. */
                liveness_ok: boolean;
                /** @description Duration of the probe in milliseconds. */
                latency_ms: number;
            } | null;
            /** @description The last 24 hours in steps of five minutes, oldest first. */
            history: {
                /**
                 * Format: date-time
                 * @description Time of the entry.
                 */
                at: string;
                /** @description Number of probes in the step. */
                samples: number;
                /** @description How many found the gateway started. */
                started: number;
                /** @description How many found it ready. */
                ready: number;
                /** @description How many found it alive. */
                alive: number;
                /** @description Mean duration of the probes in milliseconds. */
                mean_latency_ms: number;
                /** @description Longest duration of a probe in milliseconds. */
                max_latency_ms: number;
            }[];
            /** @description Open incidents, newest first, at most 20. */
            incidents: components["schemas"]["Incident"][];
        };
        Invoice: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the client.
             */
            client_id: string;
            /**
             * Format: date
             * @description First UTC day of the period.
             */
            period_start: string;
            /**
             * Format: date
             * @description UTC day after the period.
             */
            period_end: string;
            /**
             * @description Currency of all amounts.
             * @constant
             */
            currency: "USD";
            /**
             * @description `draft` can still change, `issued` is final, `paid` and `void` are ended.
             * @enum {string}
             */
            status: "draft" | "issued" | "paid" | "void";
            /** @description Sum of the lines, in millionths of a US dollar. */
            total_micros: number;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /** @description When the invoice was issued; null for a draft. */
            issued_at: string | null;
            /** @description When the invoice was paid or voided; null before. */
            ended_at: string | null;
            /** @description The lines of the invoice. */
            lines: {
                /**
                 * @description `flat_fee` of the plan, `usage` of a metric, `carried` from earlier months, `credit` that paid for it, or `other`.
                 * @enum {string}
                 */
                kind: "flat_fee" | "usage" | "carried" | "credit" | "other";
                /** @description Text of the line. */
                description: string;
                /** @description Billing plan of the line; null without one. */
                plan: ("free" | "basic" | "pro" | "enterprise") | null;
                /** @description Metric of the line; null except for usage. */
                metric: ("ai_queries" | "ai_spend" | "container_activity" | "container_uptime" | "object_storage_bandwidth" | "websocket_sessions") | null;
                /** @description Days for a flat fee, else in the metric's unit. */
                quantity: number;
                /** @description Price of `per_units`, in millionths of a US dollar. */
                unit_price_micros: number;
                /** @description Quantity that the price is for. */
                per_units: number;
                /** @description Amount in millionths of a US dollar. */
                amount_micros: number;
            }[];
        };
        InvoiceSummary: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the client.
             */
            client_id: string;
            /**
             * Format: date
             * @description First UTC day of the period.
             */
            period_start: string;
            /**
             * Format: date
             * @description UTC day after the period.
             */
            period_end: string;
            /**
             * @description Currency of all amounts.
             * @constant
             */
            currency: "USD";
            /**
             * @description `draft` can still change, `issued` is final, `paid` and `void` are ended.
             * @enum {string}
             */
            status: "draft" | "issued" | "paid" | "void";
            /** @description Sum of the lines, in millionths of a US dollar. */
            total_micros: number;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /** @description When the invoice was issued; null for a draft. */
            issued_at: string | null;
            /** @description When the invoice was paid or voided; null before. */
            ended_at: string | null;
        };
        Partner: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
            slug: string;
            /** @description Display name. */
            name: string;
            /**
             * @description Who can change the object: a stack file in Git, or the dashboard and this API.
             * @enum {string}
             */
            managed_by: "git" | "dashboard";
            /** @description Stack file in Git that declares the object; null for an object of the dashboard, or if the file is unknown. */
            declared_in: string | null;
            /** @description How many clients it has, of those that the caller has access to. */
            clients: number;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the object was last changed.
             */
            updated_at: string;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        PartnerEgress: {
            /**
             * Format: uuid
             * @description ID of the partner.
             */
            partner_id: string;
            /** @description The policy. Null states nothing. */
            policy: {
                /**
                 * @description `open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.
                 * @enum {string}
                 */
                mode: "open" | "audit" | "allowlist";
                /**
                 * @description At most 1,000 hosts that the mode `allowlist` allows; other modes ignore them. An entry can be a text: `host [ports] [METHODS]`, such as `api.example.com 443 GET,HEAD`. Default: none.
                 * @default []
                 */
                entries: {
                    /** @description A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address. */
                    host: string;
                    /** @description Ports of the host. Default: 80 and 443. */
                    ports?: number[];
                    /** @description HTTP methods. Default: all. */
                    methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "PROPFIND" | "PROPPATCH" | "MKCOL" | "COPY" | "MOVE" | "LOCK" | "UNLOCK" | "REPORT" | "SEARCH")[];
                }[];
            } | null;
            /**
             * @description Who can change the object: a stack file in Git, or the dashboard and this API.
             * @enum {string}
             */
            managed_by: "git" | "dashboard";
            /** @description Stack file in Git that declares the object; null for an object of the dashboard, or if the file is unknown. */
            declared_in: string | null;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        PartnerSpend: {
            /**
             * Format: date
             * @description First UTC day of the period.
             */
            from: string;
            /**
             * Format: date
             * @description Last UTC day of the period.
             */
            to: string;
            /** @description Partners with spend, highest first, and one entry for internal clients. */
            partners: {
                /** @description The partner; null without one. */
                partner: {
                    /**
                     * Format: uuid
                     * @description ID of the object.
                     */
                    id: string;
                    /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                    slug: string;
                    /** @description Display name. */
                    name: string;
                } | null;
                /** @description One entry for each UTC day with spend. */
                series: {
                    /**
                     * Format: date
                     * @description UTC day.
                     */
                    day: string;
                    /** @description Spend on models, in millionths of a US dollar. */
                    ai_spend: number;
                }[];
            }[];
        };
        PartnerStyle: {
            /**
             * Format: uuid
             * @description ID of the partner.
             */
            partner_id: string;
            /** @description Name on pages and in mails. Default: the partner's name. */
            display_name: string;
            /** @description Colours as #rrggbb, with enough contrast; null for the platform's. */
            colours: {
                /** @description Text colour, as #rrggbb. */
                text: string;
                /** @description Background colour, as #rrggbb. */
                background: string;
                /** @description Colour of buttons and links, as #rrggbb. */
                accent: string;
            } | null;
            /** @description E-mail address for help; null for the platform's. */
            support_address: string | null;
            /** @description Path of the logo, which changes with the logo; null without one. */
            logo_url: string | null;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        Price: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /**
             * @description Billing plan.
             * @enum {string}
             */
            plan: "free" | "basic" | "pro" | "enterprise";
            /**
             * @description Metric, or `flat_fee` for the monthly fee of the plan.
             * @enum {string}
             */
            metric: "flat_fee" | "ai_queries" | "ai_spend" | "container_activity" | "container_uptime" | "object_storage_bandwidth" | "websocket_sessions";
            /** @description Unit of the metric. */
            unit: string;
            /** @description Quantity that the price is for. */
            per_units: number;
            /** @description Price in millionths of a US dollar. */
            micros: number;
            /**
             * Format: date
             * @description First day (UTC) of the price. It is valid until the next price of its plan and metric.
             */
            valid_from: string;
        };
        Rollout: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /** @description Image that the tenants get; null or omitted for a rollout of a Worker alone. */
            image_id: string | null;
            /** @description Worker that the tenants get; null or omitted for a rollout of an image alone. */
            worker_bundle_id: string | null;
            /** @description Percent of the tenants that have the version after each wave. Canaries come first, as wave 0. */
            waves: number[];
            /** @description Minutes for which a wave has to stay healthy before the next one starts. */
            soak_minutes: number;
            /** @description Hours between the notice to a tenant's administrators and the interruption. */
            notice_hours: number;
            /** @description Whether the rollout ignores notices and maintenance windows. */
            urgent: boolean;
            /**
             * @description Current status.
             * @enum {string}
             */
            status: "running" | "paused" | "rolling_back" | "succeeded" | "failed" | "stopped" | "rolled_back";
            /** @description The current wave. */
            wave: number;
            /** @description Why it failed or ended; null without a failure. */
            cause: string | null;
            /** @description E-mail address of the user who requested it, or `service`. */
            requested_by: string;
            /** @description Number of tenants by status. */
            tenants: {
                [key: string]: number;
            };
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the object was last changed.
             */
            updated_at: string;
            /** @description When it ended; null before. */
            ended_at: string | null;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        RolloutTenant: {
            /**
             * Format: uuid
             * @description ID of the instance.
             */
            instance_id: string;
            /** @description The client that it belongs to. */
            client: {
                /**
                 * Format: uuid
                 * @description ID of the object.
                 */
                id: string;
                /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                slug: string;
            };
            /** @description Number of the wave; the canaries are wave 0. */
            wave: number;
            /**
             * @description Current status.
             * @enum {string}
             */
            status: "waiting" | "announced" | "changing" | "done" | "failed" | "going_back" | "gone_back" | "stuck" | "skipped";
            /** @description Earliest time of the change; null before it is scheduled. */
            not_before: string | null;
            /** @description When the tenant changed; null before. */
            changed_at: string | null;
            /** @description The job that changes the tenant or rolls it back; null without one. */
            job_id: string | null;
            /** @description Backup of the state before the change; null without one. */
            backup_id: string | null;
            /** @description Why it failed or ended; null without a failure. */
            cause: string | null;
        };
        Session: {
            /** @description The caller. */
            user: {
                /**
                 * Format: uuid
                 * @description ID of the object.
                 */
                id: string;
                /** @description E-mail address, in lower case. */
                email: string;
                /** @description Display name. */
                name: string;
                /**
                 * @description `ROOT` of the platform, or `PARTNER_ROOT` of one partner.
                 * @enum {string}
                 */
                role: "ROOT" | "PARTNER_ROOT" | "ADMIN" | "BASE_USER";
            };
            /** @description The only partner that the caller has access to; null for a platform root. */
            partner: {
                /**
                 * Format: uuid
                 * @description ID of the object.
                 */
                id: string;
                /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                slug: string;
                /** @description Display name. */
                name: string;
            } | null;
            /** @description The tenant of its user; null for a root. */
            tenant: {
                /** @description The client that it belongs to. */
                client: {
                    /**
                     * Format: uuid
                     * @description ID of the object.
                     */
                    id: string;
                    /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                    slug: string;
                    /** @description Display name. */
                    name: string;
                };
                /**
                 * Format: uuid
                 * @description ID of the instance.
                 */
                instance_id: string;
                /**
                 * Format: uri
                 * @description Address of the tenant's gateway.
                 */
                address: string;
                /** @description Branding of the tenant's pages: the partner's, or the platform's. */
                brand: {
                    /** @description Display name. */
                    name: string;
                    /** @description Colours as #rrggbb, with enough contrast; null for the platform's. */
                    colours: {
                        /** @description Colour of buttons and links, as #rrggbb. */
                        accent?: string;
                        /** @description Background colour, as #rrggbb. */
                        background?: string;
                        /** @description Text colour, as #rrggbb. */
                        text?: string;
                    };
                    /**
                     * Format: uri
                     * @description Address of the logo; absent without one.
                     */
                    logo?: string;
                    /**
                     * Format: email
                     * @description E-mail address for help; absent without one.
                     */
                    support?: string;
                };
                /** @description Whether the user is a platform root who views the tenant as its ADMIN, and changes nothing. */
                read_only: boolean;
            } | null;
            /**
             * @description Environment of the platform.
             * @enum {string}
             */
            environment: "production" | "staging" | "development";
            /** @description Version of Tenantry that is deployed. */
            version: string;
            /** @description Domain of the tenants' hosts. */
            platform_domain: string;
            /** @description Notice that every page of the dashboard shows; null without one. */
            notice: string | null;
        };
        User: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /**
             * @description `dashboard` for roots, `person` for users of clients.
             * @enum {string}
             */
            kind: "dashboard" | "person";
            /** @description E-mail address, in lower case. */
            email: string;
            /** @description Display name. */
            name: string;
            /**
             * @description Role of a root, or a person's role at clients that set no other.
             * @enum {string}
             */
            role: "ROOT" | "PARTNER_ROOT" | "ADMIN" | "BASE_USER";
            /** @description Partner that the user belongs to; null for the platform's own users. */
            partner_id: string | null;
            /** @description A person's most advanced status at any client; null without a client. Roots are `validated`. */
            status: ("invited" | "validated" | "rejected") | null;
            /** @description When the user first got access; null before. */
            validated_at: string | null;
            /** @description How Cloudflare Access identifies the user, as the identity provider reports it; null if unknown. */
            cf_access_identity: {
                [key: string]: components["schemas"]["JsonValue"];
            } | null;
            /** @description IDs of the instances that the user can open. */
            instance_ids: string[];
            /** @description The clients that a person belongs to. */
            clients: {
                /**
                 * Format: uuid
                 * @description ID of the client.
                 */
                client_id: string;
                /** @description Slug of the client. */
                slug: string;
                /**
                 * @description Role at this client.
                 * @enum {string}
                 */
                role: "ADMIN" | "BASE_USER";
                /**
                 * @description Status at this client.
                 * @enum {string}
                 */
                status: "invited" | "validated" | "rejected";
                /** @description IDs of the instances that the user can open. */
                instance_ids: string[];
            }[];
            /**
             * @description Who can change the object: a stack file in Git, or the dashboard and this API.
             * @enum {string}
             */
            managed_by: "git" | "dashboard";
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the object was last changed.
             */
            updated_at: string;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
        };
        Worker: {
            /**
             * Format: uuid
             * @description ID of the object.
             */
            id: string;
            /** @description Whether new tenants get this version. */
            default: boolean;
            /** @description When the version was withdrawn, so that no tenant can be changed to it; null for an available version. */
            withdrawn_at: string | null;
            /** @description Number of tenants. */
            tenants: number;
            /**
             * Format: date-time
             * @description When the object was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the object was last changed.
             */
            updated_at: string;
            /** @description Increases with each change; the `ETag` of the object. */
            version: number;
            /** @description SHA-256 of the Worker's modules, in hexadecimal. */
            content_hash: string;
            /** @description Version of Tenantry that brought the Worker. */
            release: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    getSession: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    listClients: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
                /** @description Order of the list. A minus reverses it. */
                sort?: "slug" | "-slug" | "created_at" | "-created_at";
                /** @description Only clients with this status. */
                status?: "draft" | "active" | "production";
                /** @description Only clients with this plan. */
                billing_plan?: "free" | "basic" | "pro" | "enterprise";
                /** @description Only clients whose instance has this status. */
                instance_status?: "provisioning" | "running" | "frozen" | "stopped" | "error";
                /** @description Only clients of this partner. */
                partner_id?: string;
                /** @description Part of the slug or name. */
                search?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["Client"][];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    previewClient: {
        parameters: {
            query: {
                /** @description Slug to check. */
                slug?: string;
                /** @description Billing plan: limits, container size and price. */
                billing_plan: "free" | "basic" | "pro" | "enterprise";
                /** @description Partner of the client. Default: none, or the caller's own partner. */
                partner_id?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ClientPreview"];
                };
            };
        };
    };
    createClient: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description At most 59 lower-case letters, digits and inner hyphens. It becomes the host name and cannot change. */
                    slug: string;
                    /** @description Display name, one line. Default: the slug. */
                    name?: string;
                    /**
                     * @description Billing plan: limits, container size and price.
                     * @enum {string}
                     */
                    billing_plan: "free" | "basic" | "pro" | "enterprise";
                    /** @description Partner that owns the client. Default: none, or the caller's own partner. */
                    partner_id?: string | null;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
        };
    };
    getClient: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
        };
    };
    deleteClient: {
        parameters: {
            query?: {
                /** @description `true` ends the grace period of a deleted client at once. This cannot be undone. */
                now?: "true" | "false";
            };
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
        };
    };
    updateClient: {
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description ID of the client to change.
                     */
                    id: string;
                    /** @description Display name. */
                    name?: string;
                    /**
                     * @description Billing plan: limits, container size and price.
                     * @enum {string}
                     */
                    billing_plan?: "free" | "basic" | "pro" | "enterprise";
                    /**
                     * @description New status, one step from the current one: `draft`, `active`, `production`.
                     * @enum {string}
                     */
                    status?: "draft" | "active" | "production";
                    /** @description Partner that gets the client; null makes it internal. Only for platform roots. */
                    partner_id?: string | null;
                    /** @description Whether rollouts reach the tenant before all others. */
                    canary?: boolean;
                    /** @description When changes that are not urgent may interrupt the tenant; null: at any time. */
                    maintenance_window?: {
                        /** @description Length of the period in days, which ends now. */
                        days: number[];
                        /** @description Local time at which it opens, as HH:MM. */
                        start: string;
                        /** @description How many hours it is open. */
                        hours: number;
                        /** @description Time zone of the local time, such as Europe/Berlin. */
                        time_zone: string;
                    } | null;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
        };
    };
    setMaintenanceWindow: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description When changes that are not urgent may interrupt the tenant; null: at any time. */
                    maintenance_window: {
                        /** @description Length of the period in days, which ends now. */
                        days: number[];
                        /** @description Local time at which it opens, as HH:MM. */
                        start: string;
                        /** @description How many hours it is open. */
                        hours: number;
                        /** @description Time zone of the local time, such as Europe/Berlin. */
                        time_zone: string;
                    } | null;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
        };
    };
    setCanary: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whether rollouts reach the tenant before all others. */
                    canary: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
        };
    };
    viewClient: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description Address of the console, which opens it within 30 seconds.
                         */
                        url: string;
                    };
                };
            };
        };
    };
    eraseClient: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The client's slug, to confirm. */
                    slug: string;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
        };
    };
    exportClient: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-tar": string;
                };
            };
        };
    };
    restoreClient: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
        };
    };
    freezeClient: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Reason, for the audit log and other users. */
                    cause?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
        };
    };
    resumeClient: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
        };
    };
    getClientPartner: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description ID of the object.
                         */
                        id: string;
                        /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                        slug: string;
                        /** @description Display name. */
                        name: string;
                    } | null;
                };
            };
        };
    };
    listErasures: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: {
                            /**
                             * Format: uuid
                             * @description ID of the object.
                             */
                            id: string;
                            /** @description The client that it belongs to. */
                            client: {
                                /**
                                 * Format: uuid
                                 * @description ID of the object.
                                 */
                                id: string;
                                /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                                slug: string;
                                /** @description Display name. */
                                name: string;
                            };
                            /** @description E-mail address of the user who requested it, or `service`. */
                            requested_by: string;
                            /**
                             * Format: date-time
                             * @description When the erasure was requested.
                             */
                            requested_at: string;
                            /** @description When everything was erased; null until then. */
                            erased_at: string | null;
                        }[];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    getErasure: {
        parameters: {
            path: {
                /** @description ID of the erasure. */
                erasure_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * @description Version of the certificate's format.
                         * @constant
                         */
                        format: "tenantry-erasure-1";
                        /**
                         * Format: uuid
                         * @description ID of the object.
                         */
                        id: string;
                        /**
                         * @description Environment of the platform.
                         * @enum {string}
                         */
                        environment: "production" | "staging" | "development";
                        /** @description The client that it belongs to. */
                        client: {
                            /**
                             * Format: uuid
                             * @description ID of the object.
                             */
                            id: string;
                            /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                            slug: string;
                            /** @description Display name. */
                            name: string;
                        };
                        /** @description E-mail address of the user who requested it, or `service`. */
                        requested_by: string;
                        /**
                         * Format: date-time
                         * @description When the erasure was requested.
                         */
                        requested_at: string;
                        /** @description When everything was erased; null until then. */
                        erased_at: string | null;
                        /** @description What was erased. */
                        erased: {
                            /** @description Bucket of the backups; null if the client had none. */
                            bucket: {
                                /** @description Display name. */
                                name: string;
                                /** @description Number of its objects before the erasure. */
                                objects: number;
                                /** @description Size in bytes. */
                                bytes: number;
                            } | null;
                            /** @description The tenant's resources at Cloudflare, by name. */
                            resources: {
                                /** @description Kind of the resource, in words. */
                                kind: string;
                                /** @description Display name. */
                                name: string;
                                /** @description When Cloudflare was read after the erasure and did not have it; null if an earlier version erased the client without reading Cloudflare. */
                                absent_at: string | null;
                            }[];
                            /** @description Number of deleted rows, by table of the database. */
                            rows: {
                                [key: string]: number;
                            };
                        };
                        /** @description What is kept. */
                        kept: {
                            /** @description What is kept, in words. */
                            what: string;
                            /** @description Why it is kept. */
                            why: string;
                        }[];
                        /** @description Text colour, as #rrggbb. */
                        text: string;
                    };
                };
            };
        };
    };
    createInstance: {
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description ID of the client.
                     */
                    client_id: string;
                    /** @description AI gateway to bind, by its ID at Cloudflare. Only for platform roots. Default: the pool's least used. */
                    ai_gateway_id?: string;
                    /**
                     * Format: uuid
                     * @description AI gateway to bind, by its pool entry. Only for platform roots. Default: the pool's least used.
                     */
                    ai_gateway_pool_id?: string;
                    /** @description Whether to start from the newest backup in the bucket that an earlier client with this slug left. Only for platform roots. Default: false; provisioning then fails if such a bucket exists. */
                    use_kept_backups?: boolean;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Instance"];
                };
            };
        };
    };
    getInstance: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Instance"];
                };
            };
        };
    };
    removeInstance: {
        parameters: {
            query?: {
                /** @description `true` removes the instance also if its state cannot be backed up. By default the removal then fails and changes nothing. */
                discard_state?: "true" | "false";
            };
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Instance"];
                };
            };
        };
    };
    changeWorkerPlan: {
        parameters: {
            query?: {
                /** @description Earliest time, included. Default: no limit. */
                from?: "free" | "basic" | "pro" | "enterprise";
            };
            path: {
                /** @description ID of the instance. */
                instance_id: string;
                /** @description The new plan. */
                plan_type: "free" | "basic" | "pro" | "enterprise";
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Instance"];
                };
            };
        };
    };
    listVersions: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description What the instance reports; null until it does. */
                        running: {
                            /** @description Name of the gateway, such as `openclaw`. */
                            gateway: string;
                            /** @description Version of the gateway in the image. */
                            gateway_version: string;
                            /**
                             * Format: date-time
                             * @description Since when it reports this version.
                             */
                            since: string;
                        } | null;
                        /** @description Release notes for users of tenants, as plain text; null if unknown. */
                        release_notes: string | null;
                        /** @description The pin of the version; null unless rollouts skip the instance. */
                        pin: {
                            /** @description Who pinned it; null if unknown. */
                            by: string | null;
                            /** @description Time of the entry. */
                            at: string | null;
                            /** @description Whether only an operator can unpin it. */
                            of_operator: boolean;
                        } | null;
                        /** @description Whether rollouts reach the tenant before all others. */
                        canary: boolean;
                        /** @description ID of the newest offered version that is newer than the running one; null for none. */
                        newer_id: string | null;
                        /** @description Versions that the platform offers to the tenant, newest first. */
                        offered: {
                            /**
                             * Format: uuid
                             * @description ID of the object.
                             */
                            id: string;
                            /** @description Name of the gateway, such as `openclaw`. */
                            gateway: string;
                            /** @description Version of the gateway in the image. */
                            gateway_version: string;
                            /** @description Release notes for users of tenants, as plain text; null if unknown. */
                            release_notes: string;
                            /**
                             * @description Age compared with the running version. `other`: unknown, or of another gateway.
                             * @enum {string}
                             */
                            age: "current" | "newer" | "older" | "other";
                            /** @description Whether new tenants get this version. */
                            default: boolean;
                            /**
                             * Format: date-time
                             * @description When the platform offered the version.
                             */
                            added_at: string;
                        }[];
                        /** @description Current or next opening of the maintenance window; null if changes that are not urgent happen at any time. */
                        window: {
                            /**
                             * Format: date-time
                             * @description Earliest time, included. Default: no limit.
                             */
                            from: string;
                            /**
                             * Format: date-time
                             * @description End of the opening.
                             */
                            until: string;
                        } | null;
                        /** @description Earliest start of a rollout that ADMINs were notified of; null for none. */
                        rollout_from: string | null;
                        /** @description The change of the version that has not ended; null for none. */
                        change: {
                            /**
                             * Format: uuid
                             * @description ID of the object.
                             */
                            id: string;
                            /**
                             * @description The operation.
                             * @enum {string}
                             */
                            kind: "provision" | "deprovision" | "change_plan" | "freeze" | "resume" | "assign_gateway" | "rotate_token" | "final_backup" | "adopt_version" | "restore_backup" | "delete_client" | "invalidate" | "redeploy" | "push_channels" | "push_provider_keys" | "push_egress";
                            /**
                             * @description Current status.
                             * @enum {string}
                             */
                            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
                            /** @description ID of the client. */
                            client_id: string | null;
                            /** @description ID of the instance. */
                            instance_id: string | null;
                            /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                            slug: string;
                            /** @description Number of operations that were started on the instance. */
                            generation: number | null;
                            /** @description The rollout that the change belongs to; null without one. */
                            rollout_id: string | null;
                            /** @description ID of the backup. */
                            backup_id: string | null;
                            /** @description Why it failed or ended; null without a failure. */
                            cause: string | null;
                            /** @description Number of attempts so far. */
                            attempts: number;
                            /** @description Percent done, for jobs that deploy; 100 after success. */
                            progress: number;
                            /** @description E-mail address of the user who requested it, or `service`. */
                            requested_by: string;
                            /**
                             * Format: date-time
                             * @description When the object was created.
                             */
                            created_at: string;
                            /** @description When it started; null before. */
                            started_at: string | null;
                            /** @description When it ended; null before. */
                            ended_at: string | null;
                            /** @description Earliest start of the job; null for none. */
                            not_before: string | null;
                            /**
                             * Format: date-time
                             * @description Until when it may run.
                             */
                            deadline: string;
                            /** @description ID of the newest later job of this kind for the same client; null without one. */
                            followed_by: string | null;
                            /** @description ID of the image that it changes to; null for the platform's. */
                            image_id: string | null;
                        } | null;
                        /** @description Why an ADMIN cannot change the version now; null if an ADMIN can. */
                        refusal: string | null;
                        /** @description Increases with each change; the `ETag` of the object. */
                        version: number;
                    };
                };
            };
        };
    };
    changeVersion: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Image to change to; null for the platform's image. Default: unchanged. */
                    image_id?: string | null;
                    /** @description Worker to change to; null for the automation service's own Worker. Default: unchanged. */
                    worker_bundle_id?: string | null;
                    /** @description Backup to restore, if the current state is too new for the image. Default: none. */
                    backup_id?: string;
                    /**
                     * @description `now`, or `window` for the next opening of the maintenance window.
                     * @default now
                     * @enum {string}
                     */
                    start?: "now" | "window";
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    pinInstance: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whether rollouts skip the instance. */
                    pinned: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Instance"];
                };
            };
        };
    };
    rotateToken: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getInstanceHealth: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InstanceHealth"];
                };
            };
        };
    };
    getInstanceAvailability: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: {
                            /**
                             * Format: date
                             * @description The day, in UTC.
                             */
                            day: string;
                            /** @description Number of probes on that day. */
                            samples: number;
                            /** @description How many found the gateway ready. */
                            ready: number;
                            /** @description Mean duration of the probes in milliseconds. */
                            mean_latency_ms: number;
                        }[];
                    };
                };
            };
        };
    };
    restartInstance: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        restarting: true;
                    };
                };
            };
        };
    };
    backUpInstance: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * @description `made`: the backup is complete. `nothing`: no state to back up. `under_way`: the backup continues after the response.
                         * @enum {string}
                         */
                        state: "made" | "nothing" | "under_way";
                        /** @description The backup; null unless `state` is `made`. */
                        backup: {
                            /** @description ID of the object. */
                            id: string;
                            /**
                             * Format: date-time
                             * @description When the object was created.
                             */
                            created_at: string;
                            /** @description Size in bytes. */
                            bytes: number;
                        } | null;
                    };
                };
            };
        };
    };
    sleepInstance: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Seconds until the instance wakes as for a scheduled job. Without it, only jobs of its gateway and requests wake it. */
                    wake_after_seconds?: number;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * @description `asleep`, or `under_way` while the backup before it continues.
                         * @enum {string}
                         */
                        state: "asleep" | "under_way";
                        /** @description When the instance wakes without a request; null if it does not, or is not yet known. */
                        wakes_at: string | null;
                    };
                };
            };
        };
    };
    wakeInstance: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /**
                         * @description `awake`, or `starting` until the gateway responds.
                         * @enum {string}
                         */
                        state: "awake" | "starting";
                    };
                };
            };
        };
    };
    listBackups: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: {
                            /** @description ID of the object. */
                            id: string;
                            /**
                             * Format: date-time
                             * @description When the object was created.
                             */
                            created_at: string;
                            /** @description Size in bytes. */
                            bytes: number;
                            /** @description Gateway that wrote the state; null if unknown. */
                            gateway: {
                                /** @description Name of the gateway, such as `openclaw`. */
                                name: string;
                                /** @description Version of the gateway. */
                                version: string;
                            } | null;
                            /**
                             * @description Why it was made. `before_stop`: its container was replaced or removed. `restored`: the copy of a restored backup. `accepted`: an administrator accepted the state. `unknown`: an earlier version made it.
                             * @enum {string}
                             */
                            reason: "scheduled" | "requested" | "accepted" | "before_upgrade" | "before_restore" | "before_sleep" | "before_stop" | "restored" | "uploaded" | "unknown";
                            /** @description Who requested or uploaded it; null if nobody did, or it is unknown. */
                            by: string | null;
                            /** @description Role of that person; null if it is unknown. */
                            role: string | null;
                            /** @description Whether the platform keeps it beyond its limits. */
                            kept: boolean;
                        }[];
                        /** @description What prevents backups or restores; null if nothing does. */
                        trouble: {
                            /** @description `refused`: the state must not be backed up. `failed`: the last backup failed. `no-room`: the disk is too small. `newer-state`: a newer gateway wrote the state. */
                            kind: string;
                            /** @description Explanation for people. */
                            reason: string;
                            /**
                             * Format: date-time
                             * @description Since when.
                             */
                            since: string;
                            /** @description What to do; null if it resolves by itself. */
                            remedy: string | null;
                        } | null;
                        /** @description Which backups stay; null if the tenant's Worker does not report it. The newest always stays, and kept ones do. */
                        retention: {
                            /** @description Most backups. */
                            count: number;
                            /** @description Days until a backup is removed. */
                            days: number;
                            /** @description Total size of all backups; null for no limit. */
                            bytes: number | null;
                            /** @description Most backups that can be kept beyond these limits. */
                            kept: number;
                        } | null;
                    };
                };
            };
        };
    };
    uploadBackup: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        /** @description The file, at most 97656.25 KiB. */
        requestBody: {
            content: {
                "application/gzip": string;
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @description ID of the object. */
                        id: string;
                        /**
                         * Format: date-time
                         * @description When the object was created.
                         */
                        created_at: string;
                        /** @description Size in bytes. */
                        bytes: number;
                        /** @description Name of the gateway, such as `openclaw`. */
                        gateway: {
                            /** @description Display name. */
                            name: string;
                            /** @description Increases with each change; the `ETag` of the object. */
                            version: string;
                        } | null;
                        /**
                         * @description Why it was made. `before_stop`: its container was replaced or removed. `restored`: the copy of a restored backup. `accepted`: an administrator accepted the state. `unknown`: an earlier version made it.
                         * @enum {string}
                         */
                        reason: "scheduled" | "requested" | "accepted" | "before_upgrade" | "before_restore" | "before_sleep" | "before_stop" | "restored" | "uploaded" | "unknown";
                        /** @description Who requested or uploaded it; null if nobody did, or it is unknown. */
                        by: string | null;
                        /** @description Role of that person; null if it is unknown. */
                        role: string | null;
                        /** @description Whether the platform keeps it beyond its limits. */
                        kept: boolean;
                    };
                };
            };
        };
    };
    downloadBackup: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
                /** @description ID of the backup. */
                backup_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/gzip": string;
                };
            };
        };
    };
    deleteBackup: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
                /** @description ID of the backup. */
                backup_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    restoreBackup: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description ID of the backup. */
                    backup_id: string;
                    /**
                     * @description Whether to continue if the current state cannot be backed up. That state is then lost.
                     * @default false
                     */
                    discard_present?: boolean;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getInstanceFile: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Path of the file in the repository. */
                        path: string;
                        /** @description Content as YAML. For a partner root without the name of the platform's stack. */
                        text: string;
                        /** @description Whether this is the whole file. For a file with several tenants, only the part of this one is returned. */
                        whole: boolean;
                    };
                };
            };
        };
    };
    getInstanceLog: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The lines, oldest first. */
                        lines: string[];
                    };
                };
            };
        };
    };
    assignGateway: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description ID of an AI gateway at Cloudflare, in the pool or not. */
                    ai_gateway_id?: string;
                    /**
                     * Format: uuid
                     * @description ID of an AI gateway of the pool.
                     */
                    ai_gateway_pool_id?: string;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    keepBackup: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
                /** @description ID of the backup. */
                backup_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whether the platform keeps it beyond its limits. */
                    kept: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Whether the platform keeps it beyond its limits. */
                        kept: boolean;
                    };
                };
            };
        };
    };
    getBackupChanges: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
                /** @description ID of the backup. */
                backup_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Number of files that were changed or added. */
                        count: number;
                        /** @description The entries. */
                        data: {
                            /** @description Path relative to the state's directory, such as `workspace/MEMORY.md`. */
                            path: string;
                            /**
                             * Format: date-time
                             * @description When it was changed.
                             */
                            modified_at: string;
                        }[];
                    };
                };
            };
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /** @description Path of the directory, relative to the state's. Default: the state's directory. */
                path?: string;
            };
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: {
                            /** @description Name in the directory. */
                            name: string;
                            /**
                             * @description `special`: a socket, FIFO or device.
                             * @enum {string}
                             */
                            kind: "file" | "directory" | "link" | "special";
                            /** @description Size in bytes. */
                            bytes: number;
                            /**
                             * Format: date-time
                             * @description When it was changed.
                             */
                            modified_at: string;
                            /** @description Whether it holds credentials, so that its content is never shown. */
                            secret: boolean;
                        }[];
                        /** @description Whether the directory has more entries. */
                        truncated: boolean;
                    };
                };
            };
        };
    };
    readFile: {
        parameters: {
            query?: {
                /** @description Path relative to the state's directory, such as `workspace/MEMORY.md`. */
                path?: string;
            };
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The text, in UTF-8. */
                        text: string;
                        /** @description SHA-256 of the file, in hex. */
                        hash: string;
                        /** @description Size in bytes. */
                        bytes: number;
                        /**
                         * Format: date-time
                         * @description When it was changed.
                         */
                        modified_at: string;
                        /** @description Whether secrets were replaced in the text. It can then not be saved. */
                        redacted: boolean;
                    };
                };
            };
        };
    };
    saveFile: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Path relative to the state's directory, such as `workspace/MEMORY.md`. */
                    path: string;
                    /** @description The whole new text. */
                    text: string;
                    /** @description SHA-256 of the file, in hex. */
                    hash: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description SHA-256 of the file, in hex. */
                        hash: string;
                        /** @description Size in bytes. */
                        bytes: number;
                    };
                };
            };
        };
    };
    downloadFile: {
        parameters: {
            query?: {
                /** @description Path relative to the state's directory, such as `workspace/MEMORY.md`. */
                path?: string;
            };
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    listDevices: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Devices that wait for approval. */
                        pending: {
                            /** @description ID of the request, to approve or reject it. */
                            request_id: string;
                            /** @description ID of the device in OpenClaw. */
                            id: string;
                            /** @description Name that the device states; null if it states none. */
                            name: string | null;
                            /** @description Operating system that the device states; null if it states none. */
                            platform: string | null;
                            /** @description Program that the device states; null if it states none. */
                            client: string | null;
                            /** @description Roles in OpenClaw that it requests: `operator` or `node`. */
                            roles: string[];
                            /** @description Scopes in OpenClaw that it requests. */
                            scopes: string[];
                            /**
                             * Format: date-time
                             * @description When the device asked.
                             */
                            requested_at: string;
                        }[];
                        /** @description Paired devices. */
                        paired: {
                            /** @description ID of the device in OpenClaw. */
                            id: string;
                            /** @description Name of the device; null if it has none. */
                            name: string | null;
                            /** @description Operating system that the device states; null if it states none. */
                            platform: string | null;
                            /** @description Program that the device states; null if it states none. */
                            client: string | null;
                            /** @description Roles in OpenClaw: `operator` or `node`. */
                            roles: string[];
                            /** @description Scopes in OpenClaw. */
                            scopes: string[];
                            /**
                             * Format: date-time
                             * @description When it was approved.
                             */
                            paired_at: string;
                            /** @description When it last connected; null if unknown. */
                            last_seen_at: string | null;
                            /** @description Whether it is connected now. */
                            is_connected: boolean;
                        }[];
                        /** @description Why the lists are unknown, and then empty; null if they are known. */
                        unavailable: {
                            /** @description Name of the reason, such as `devices_need_running_agent`. */
                            reason: string;
                            /** @description What the reason is, and what to do. */
                            message: string;
                        } | null;
                    };
                };
            };
        };
    };
    approveDevice: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
                /** @description ID of the request, as in Cloudflare's logs; null for a change without one. */
                request_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description ID of the device in OpenClaw. */
                        device_id: string;
                        /** @description Name of the device; null if it has none. */
                        name: string | null;
                    };
                };
            };
        };
    };
    rejectDevice: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
                /** @description ID of the request, as in Cloudflare's logs; null for a change without one. */
                request_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description ID of the device in OpenClaw. */
                        device_id: string;
                        /** @description Name of the device; null if it has none. */
                        name: string | null;
                    };
                };
            };
        };
    };
    removeDevice: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
                /** @description ID of the device in OpenClaw. */
                device_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description ID of the device in OpenClaw. */
                        device_id: string;
                        /** @description Name of the device; null if it has none. */
                        name: string | null;
                    };
                };
            };
        };
    };
    getDoctor: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description What the platform's checks and the last check of the gateway's doctor found, errors first. */
                        findings: {
                            /** @description Name of the check. Several findings can have the same. */
                            id: string;
                            /**
                             * @description `platform`: found during this request. `gateway`: by the last check of the gateway's own doctor.
                             * @enum {string}
                             */
                            source: "platform" | "gateway";
                            /**
                             * @description `error`: something does not work. `warning`: it can fail. `info`: no action is needed.
                             * @enum {string}
                             */
                            severity: "error" | "warning" | "info";
                            /** @description What is wrong, and why. */
                            message: string;
                            /** @description What to do; null if the doctor states nothing. */
                            remedy: string | null;
                            /** @description File or setting of the gateway; null if the finding concerns none. */
                            path: string | null;
                            /** @description Since when. For the gateway's doctor, the first check with the finding. Null if unknown. */
                            since: string | null;
                            /** @description Operation of this API that repairs it; null if none does. */
                            repair: ("backUpInstance" | "changeWorkerPlan" | "putProviderKey" | "repairByDoctor" | "replaceChannelToken" | "replayInbox" | "restartInstance" | "restoreBackup" | "setSpendingCap") | null;
                        }[];
                        /** @description The last run of the gateway's doctor; null before the first, and if it is unknown. */
                        run: {
                            /**
                             * @description `check` or `repair`.
                             * @enum {string}
                             */
                            kind: "check" | "repair";
                            /**
                             * @description `running`, `done` or `failed`.
                             * @enum {string}
                             */
                            state: "running" | "done" | "failed";
                            /**
                             * @description What a running one does, or at which step it failed: `backing_up` the state, `repairing` while the gateway is stopped, or `checking`.
                             * @enum {string}
                             */
                            step: "backing_up" | "repairing" | "checking";
                            /**
                             * Format: date-time
                             * @description When it began.
                             */
                            started_at: string;
                            /** @description When it ended; null while it runs, and if it was interrupted. */
                            ended_at: string | null;
                            /** @description Why it failed, and what to do; null unless it failed. */
                            reason: string | null;
                            /** @description ID of the backup before a repair; null for a check. */
                            backup_id: string | null;
                        } | null;
                        /** @description When the gateway's doctor last completed a check; null before the first, and if it is unknown. */
                        gateway_checked_at: string | null;
                    };
                };
            };
        };
    };
    runDoctor: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @description What the platform's checks and the last check of the gateway's doctor found, errors first. */
                        findings: {
                            /** @description Name of the check. Several findings can have the same. */
                            id: string;
                            /**
                             * @description `platform`: found during this request. `gateway`: by the last check of the gateway's own doctor.
                             * @enum {string}
                             */
                            source: "platform" | "gateway";
                            /**
                             * @description `error`: something does not work. `warning`: it can fail. `info`: no action is needed.
                             * @enum {string}
                             */
                            severity: "error" | "warning" | "info";
                            /** @description What is wrong, and why. */
                            message: string;
                            /** @description What to do; null if the doctor states nothing. */
                            remedy: string | null;
                            /** @description File or setting of the gateway; null if the finding concerns none. */
                            path: string | null;
                            /** @description Since when. For the gateway's doctor, the first check with the finding. Null if unknown. */
                            since: string | null;
                            /** @description Operation of this API that repairs it; null if none does. */
                            repair: ("backUpInstance" | "changeWorkerPlan" | "putProviderKey" | "repairByDoctor" | "replaceChannelToken" | "replayInbox" | "restartInstance" | "restoreBackup" | "setSpendingCap") | null;
                        }[];
                        /** @description The last run of the gateway's doctor; null before the first, and if it is unknown. */
                        run: {
                            /**
                             * @description `check` or `repair`.
                             * @enum {string}
                             */
                            kind: "check" | "repair";
                            /**
                             * @description `running`, `done` or `failed`.
                             * @enum {string}
                             */
                            state: "running" | "done" | "failed";
                            /**
                             * @description What a running one does, or at which step it failed: `backing_up` the state, `repairing` while the gateway is stopped, or `checking`.
                             * @enum {string}
                             */
                            step: "backing_up" | "repairing" | "checking";
                            /**
                             * Format: date-time
                             * @description When it began.
                             */
                            started_at: string;
                            /** @description When it ended; null while it runs, and if it was interrupted. */
                            ended_at: string | null;
                            /** @description Why it failed, and what to do; null unless it failed. */
                            reason: string | null;
                            /** @description ID of the backup before a repair; null for a check. */
                            backup_id: string | null;
                        } | null;
                        /** @description When the gateway's doctor last completed a check; null before the first, and if it is unknown. */
                        gateway_checked_at: string | null;
                    };
                };
            };
        };
    };
    repairByDoctor: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /** @description What the platform's checks and the last check of the gateway's doctor found, errors first. */
                        findings: {
                            /** @description Name of the check. Several findings can have the same. */
                            id: string;
                            /**
                             * @description `platform`: found during this request. `gateway`: by the last check of the gateway's own doctor.
                             * @enum {string}
                             */
                            source: "platform" | "gateway";
                            /**
                             * @description `error`: something does not work. `warning`: it can fail. `info`: no action is needed.
                             * @enum {string}
                             */
                            severity: "error" | "warning" | "info";
                            /** @description What is wrong, and why. */
                            message: string;
                            /** @description What to do; null if the doctor states nothing. */
                            remedy: string | null;
                            /** @description File or setting of the gateway; null if the finding concerns none. */
                            path: string | null;
                            /** @description Since when. For the gateway's doctor, the first check with the finding. Null if unknown. */
                            since: string | null;
                            /** @description Operation of this API that repairs it; null if none does. */
                            repair: ("backUpInstance" | "changeWorkerPlan" | "putProviderKey" | "repairByDoctor" | "replaceChannelToken" | "replayInbox" | "restartInstance" | "restoreBackup" | "setSpendingCap") | null;
                        }[];
                        /** @description The last run of the gateway's doctor; null before the first, and if it is unknown. */
                        run: {
                            /**
                             * @description `check` or `repair`.
                             * @enum {string}
                             */
                            kind: "check" | "repair";
                            /**
                             * @description `running`, `done` or `failed`.
                             * @enum {string}
                             */
                            state: "running" | "done" | "failed";
                            /**
                             * @description What a running one does, or at which step it failed: `backing_up` the state, `repairing` while the gateway is stopped, or `checking`.
                             * @enum {string}
                             */
                            step: "backing_up" | "repairing" | "checking";
                            /**
                             * Format: date-time
                             * @description When it began.
                             */
                            started_at: string;
                            /** @description When it ended; null while it runs, and if it was interrupted. */
                            ended_at: string | null;
                            /** @description Why it failed, and what to do; null unless it failed. */
                            reason: string | null;
                            /** @description ID of the backup before a repair; null for a check. */
                            backup_id: string | null;
                        } | null;
                        /** @description When the gateway's doctor last completed a check; null before the first, and if it is unknown. */
                        gateway_checked_at: string | null;
                    };
                };
            };
        };
    };
    listDoors: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["Door"][];
                        /** @description Number of doors that the plan of the instance allows. */
                        limit: number;
                    };
                };
            };
        };
    };
    createDoor: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Vendor or scheme, by which requests are verified. It cannot change.
                     * @enum {string}
                     */
                    kind: "telegram" | "slack" | "discord" | "line" | "whatsapp" | "messenger" | "googlechat" | "msteams" | "github" | "gitlab" | "stripe" | "standard-webhooks" | "openclaw" | "hmac" | "bearer";
                    /** @description At most 40 lower-case letters, digits and inner hyphens, unique in the instance. Most kinds reach the gateway at `/hooks/{name}`. */
                    name: string;
                    /**
                     * @description Secrets that the vendor issues, by name. Default: none; the platform generates the others.
                     * @default {}
                     */
                    secrets?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description ID of the object.
                         */
                        id: string;
                        /**
                         * Format: uuid
                         * @description ID of the instance.
                         */
                        instance_id: string;
                        /**
                         * @description Vendor or scheme, by which requests are verified. It cannot change.
                         * @enum {string}
                         */
                        kind: "telegram" | "slack" | "discord" | "line" | "whatsapp" | "messenger" | "googlechat" | "msteams" | "github" | "gitlab" | "stripe" | "standard-webhooks" | "openclaw" | "hmac" | "bearer";
                        /** @description At most 40 lower-case letters, digits and inner hyphens, unique in the instance. Most kinds reach the gateway at `/hooks/{name}`. */
                        name: string;
                        /**
                         * @description `disabled` refuses every request.
                         * @enum {string}
                         */
                        state: "active" | "disabled";
                        /** @description Last four characters of its key. */
                        key_hint: string;
                        /** @description Until when the former key is accepted; null if it is not. */
                        former_key_until: string | null;
                        /** @description Names of the secrets that are set. */
                        secret_names: string[];
                        /** @description Until when the former secrets are accepted; null if they are not. */
                        former_until: string | null;
                        /**
                         * @description Who can change the object: a stack file in Git, or the dashboard and this API.
                         * @enum {string}
                         */
                        managed_by: "git" | "dashboard";
                        /** @description Stack file in Git that declares the object; null for an object of the dashboard, or if the file is unknown. */
                        declared_in: string | null;
                        /** @description E-mail address of the user who created it, or the stack that declares it. */
                        created_by: string;
                        /** @description When its key or secrets were last replaced; null if never. */
                        rotated_at: string | null;
                        /** @description When a verified request last arrived, to the minute; null if never. */
                        last_used_at: string | null;
                        /** @description When a request with its address was last refused, to the minute; null if never. */
                        last_refused_at: string | null;
                        /** @description Why it was refused and what to do; null if none was. The sender gets 404 for every reason. */
                        last_refusal: string | null;
                        /**
                         * Format: date-time
                         * @description When the object was created.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When the object was last changed.
                         */
                        updated_at: string;
                        /** @description Increases with each change; the `ETag` of the object. */
                        version: number;
                        /**
                         * Format: uri
                         * @description Address for the vendor, with the key of the door. Returned only once.
                         */
                        url: string;
                        /** @description Secrets that the platform generated, by name. Returned only once. */
                        generated: {
                            [key: string]: string;
                        };
                    };
                };
            };
        };
    };
    updateDoor: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description New name. Default: unchanged. */
                    name?: string;
                    /**
                     * @description `disabled` refuses every request. Default: unchanged.
                     * @enum {string}
                     */
                    state?: "active" | "disabled";
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Door"];
                };
            };
        };
    };
    deleteDoor: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    rotateDoor: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What to replace.
                     * @enum {string}
                     */
                    what: "key" | "secrets";
                    /** @description New secrets, by name; null removes one, others stay. Default: generates every secret that the platform can generate. */
                    secrets?: {
                        [key: string]: string | null;
                    };
                    /**
                     * @description How long the former key or secrets are accepted. Default: 24 hours.
                     * @default 86400
                     */
                    expire_former_in_seconds?: number;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description ID of the object.
                         */
                        id: string;
                        /**
                         * Format: uuid
                         * @description ID of the instance.
                         */
                        instance_id: string;
                        /**
                         * @description Vendor or scheme, by which requests are verified.
                         * @enum {string}
                         */
                        kind: "telegram" | "slack" | "discord" | "line" | "whatsapp" | "messenger" | "googlechat" | "msteams" | "github" | "gitlab" | "stripe" | "standard-webhooks" | "openclaw" | "hmac" | "bearer";
                        /** @description Name of the door, unique in the instance. */
                        name: string;
                        /**
                         * @description `disabled` refuses every request.
                         * @enum {string}
                         */
                        state: "active" | "disabled";
                        /** @description Last four characters of its key. */
                        key_hint: string;
                        /** @description Until when the former key is accepted; null if it is not. */
                        former_key_until: string | null;
                        /** @description Names of the secrets that are set. */
                        secret_names: string[];
                        /** @description Until when the former secrets are accepted; null if they are not. */
                        former_until: string | null;
                        /**
                         * @description Who can change the object: a stack file in Git, or the dashboard and this API.
                         * @enum {string}
                         */
                        managed_by: "git" | "dashboard";
                        /** @description Stack file in Git that declares the object; null for an object of the dashboard, or if the file is unknown. */
                        declared_in: string | null;
                        /** @description E-mail address of the user who created it, or the stack that declares it. */
                        created_by: string;
                        /** @description When its key or secrets were last replaced; null if never. */
                        rotated_at: string | null;
                        /** @description When a verified request last arrived, to the minute; null if never. */
                        last_used_at: string | null;
                        /** @description When a request with its address was last refused, to the minute; null if never. */
                        last_refused_at: string | null;
                        /** @description Why it was refused and what to do; null if none was. The sender gets 404 for every reason. */
                        last_refusal: string | null;
                        /**
                         * Format: date-time
                         * @description When the object was created.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When the object was last changed.
                         */
                        updated_at: string;
                        /** @description Increases with each change; the `ETag` of the object. */
                        version: number;
                        /** @description New address for the vendor, returned only once; null if the secrets were replaced. */
                        url: string | null;
                        /** @description Secrets that the platform generated, by name. Returned only once. */
                        generated: {
                            [key: string]: string;
                        };
                    };
                };
            };
        };
    };
    listInbox: {
        parameters: {
            query?: {
                /** @description Only messages in this state. Default: pending and dead ones. */
                state?: "queued" | "delivering" | "accepted" | "dead" | "dropped";
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
                /** @description Entries per page. */
                limit?: number;
            };
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: {
                            /**
                             * Format: uuid
                             * @description ID of the object.
                             */
                            id: string;
                            /** @description The door that received the message. */
                            door: {
                                /**
                                 * Format: uuid
                                 * @description ID of the object.
                                 */
                                id: string;
                                /** @description Kind of the door. */
                                kind: string;
                                /** @description Name of the door. */
                                name: string;
                            };
                            /** @description The vendor's ID of the event. */
                            event_id: string;
                            /** @description Messages of one conversation are delivered in order; null: without order. */
                            conversation: string | null;
                            /**
                             * @description `queued` and `delivering` are pending; `accepted`: the gateway has it; `dead`: failed for good; `dropped`: deleted.
                             * @enum {string}
                             */
                            state: "queued" | "delivering" | "accepted" | "dead" | "dropped";
                            /** @description Size in bytes. */
                            bytes: number;
                            /** @description Number of deliveries that the gateway answered, or did not answer in time. */
                            attempts: number;
                            /**
                             * Format: date-time
                             * @description When the message was received.
                             */
                            received_at: string;
                            /**
                             * Format: date-time
                             * @description When the message entered its state or was last attempted.
                             */
                            changed_at: string;
                            /** @description When the next attempt is due; null without one. */
                            next_attempt_at: string | null;
                            /** @description Why the last attempt failed; null if none has. */
                            failure: {
                                /**
                                 * @description `status`: the gateway refused it. `expired`: 24 hours have passed.
                                 * @enum {string}
                                 */
                                reason: "status" | "not-durable" | "timeout" | "connection" | "expired" | "body-lost" | "crash";
                                /** @description HTTP status of the gateway; null without a response. */
                                status: number | null;
                            } | null;
                        }[];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                        };
                        /** @description State of the inbox as a whole. */
                        inbox: {
                            /** @description Number of messages that wait for their delivery. */
                            pending: number;
                            /** @description Number of dead messages. */
                            dead: number;
                            /** @description Most messages, pending and dead together, by the plan. */
                            limit: number;
                            /** @description When the oldest pending message was received; null without one. */
                            oldest_at: string | null;
                        };
                    };
                };
            };
        };
    };
    replayInbox: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description IDs of messages. */
                    ids: string[];
                } | {
                    /**
                     * @description All dead messages.
                     * @constant
                     */
                    all: true;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Number of messages that were queued again. */
                        changed: number;
                    };
                };
            };
        };
    };
    dropInbox: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description IDs of messages. */
                    ids: string[];
                } | {
                    /**
                     * @description All dead messages.
                     * @constant
                     */
                    all: true;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Number of messages that were dropped. */
                        changed: number;
                    };
                };
            };
        };
    };
    exportInbox: {
        parameters: {
            query?: {
                /** @description Only messages in this state. Default: pending and dead ones. */
                state?: "queued" | "delivering" | "accepted" | "dead" | "dropped";
            };
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": string;
                };
            };
        };
    };
    listChannels: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["Channel"][];
                    };
                };
            };
        };
    };
    createChannel: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The messenger.
                     * @enum {string}
                     */
                    kind: "telegram" | "slack" | "slack-socket" | "discord" | "line" | "googlechat" | "msteams" | "irc" | "matrix";
                    /** @description Token of the bot, access token of its Matrix account, or client secret of a Teams bot. Spaces around a value are removed. */
                    token?: string;
                    /** @description Signing secret of a Slack app with webhooks, or channel secret of a LINE bot. */
                    secret?: string;
                    /** @description App-level token of Slack's Socket Mode, with the scope `connections:write`. */
                    app_token?: string;
                    /** @description JSON of a key of the Google Chat app's service account, on one line. */
                    service_account?: string;
                    /** @description Number of the Google Cloud project, for which Google signs its requests. */
                    project_number?: string;
                    /** @description App ID of the Azure Bot, which stays when the token is replaced. */
                    app_id?: string;
                    /** @description ID of the tenant of Microsoft Entra that has the Azure Bot. */
                    tenant_id?: string;
                    /** @description Address of the IRC server: `ircs://HOST:PORT`, or `irc:` without TLS. */
                    server?: string;
                    /** @description Nick of the bot on the IRC server. */
                    nick?: string;
                    /** @description IRC channels that the bot joins, with commas between them. Default: none. */
                    channels?: string;
                    /** @description Password of the IRC server. Default: none. */
                    password?: string;
                    /** @description Address of the API of the Matrix homeserver. */
                    homeserver?: string;
                    /**
                     * @description Disconnects the bot from another instance that you have access to. Default: the request is refused.
                     * @default false
                     */
                    move?: boolean;
                    /**
                     * @description Adds the hosts that the channel needs to the egress policy of the tenant, if that does not allow them. Default: the request is refused.
                     * @default false
                     */
                    allow_hosts?: boolean;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description ID of the object.
                         */
                        id: string;
                        /**
                         * Format: uuid
                         * @description ID of the instance.
                         */
                        instance_id: string;
                        /**
                         * @description The messenger.
                         * @enum {string}
                         */
                        kind: "telegram" | "slack" | "slack-socket" | "discord" | "line" | "googlechat" | "msteams" | "irc" | "matrix";
                        /**
                         * @description How messages arrive. A `socket` channel is offline while the instance sleeps.
                         * @enum {string}
                         */
                        transport: "webhook" | "socket";
                        /** @description ID of the door that receives the bot's messages; null for a socket channel. */
                        door_id: string | null;
                        /** @description The bot at the vendor. */
                        account: {
                            /** @description The vendor's ID of the bot; of Slack, workspace and user. */
                            id: string;
                            /** @description Name of the bot. */
                            name: string;
                        };
                        /**
                         * @description `pushing`: the tenant does not have the present token yet. `push_failed`: it could not be sent. `token_rejected`: the vendor rejects it. `webhook_lost`: the vendor does not send the bot's messages to the door. `waiting_for_first_message`: the tenant has it. `connected`: the gateway has accepted a message. `sent`: the tenant has the token of a socket channel; the health of the instance says whether it is online.
                         * @enum {string}
                         */
                        state: "pushing" | "push_failed" | "token_rejected" | "webhook_lost" | "waiting_for_first_message" | "connected" | "sent";
                        /** @description Why the state is a fault, and what to do; null without one. */
                        last_error: string | null;
                        /**
                         * Format: date-time
                         * @description When the vendor last accepted the token.
                         */
                        checked_at: string;
                        /** @description When the tenant received the present token; null until then. */
                        pushed_at: string | null;
                        /** @description When the gateway was first known to have accepted a message; null until then. */
                        connected_at: string | null;
                        /** @description When a verified request of the vendor last arrived, to the minute; null if never. */
                        last_received_at: string | null;
                        /** @description E-mail address of the user who connected it. */
                        created_by: string;
                        /** @description When the token was last replaced; null if never. */
                        token_replaced_at: string | null;
                        /**
                         * Format: date-time
                         * @description When the object was created.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When the object was last changed.
                         */
                        updated_at: string;
                        /** @description Increases with each change; the `ETag` of the object. */
                        version: number;
                        /** @description Address for the vendor, with the key of the door. Returned only once. Null for a socket channel. */
                        url: string | null;
                        /** @description What to do at the vendor. */
                        steps: string[];
                    };
                };
            };
        };
    };
    replaceChannelToken: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Another token of the same bot. */
                    token?: string;
                    /** @description New signing secret. The former one is accepted for a day. Default: unchanged. */
                    secret?: string;
                    /** @description App-level token of Slack's Socket Mode, with the scope `connections:write`. */
                    app_token?: string;
                    /** @description JSON of a key of the Google Chat app's service account, on one line. */
                    service_account?: string;
                    /** @description Number of the Google Cloud project, for which Google signs its requests. */
                    project_number?: string;
                    /** @description App ID of the Azure Bot, which stays when the token is replaced. */
                    app_id?: string;
                    /** @description ID of the tenant of Microsoft Entra that has the Azure Bot. */
                    tenant_id?: string;
                    /** @description Address of the IRC server: `ircs://HOST:PORT`, or `irc:` without TLS. */
                    server?: string;
                    /** @description Nick of the bot on the IRC server. */
                    nick?: string;
                    /** @description IRC channels that the bot joins. Default: unchanged. */
                    channels?: string;
                    /** @description Password of the IRC server. Default: none. */
                    password?: string;
                    /** @description Address of the API of the Matrix homeserver. */
                    homeserver?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    checkChannel: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    testChannel: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The channel. */
                        channel: components["schemas"]["Channel"];
                        /** @description Where the vendor sends the bot's messages; null for a socket channel. */
                        webhook: {
                            /**
                             * @description `registered`: to the channel's door. `unknown`: the vendor does not say.
                             * @enum {string}
                             */
                            registration: "registered" | "elsewhere" | "none" | "unknown";
                            /** @description What the vendor reports of its last request to the door; null without a fault. */
                            error: string | null;
                        } | null;
                        /** @description Connection of a socket channel, or of a channel that the gateway was started without; null for others, and if the tenant's Worker does not report it. */
                        connection: {
                            /** @description Messenger, as the gateway names it. */
                            messenger: string;
                            /** @description Name of the messenger. */
                            label: string;
                            /** @description The gateway's name of the bot. */
                            account: string;
                            /**
                             * @description `offline_while_asleep`: it receives nothing until the instance wakes. `connecting`: the gateway starts or retries. `failed`: it has given up.
                             * @enum {string}
                             */
                            condition: "online" | "connecting" | "failed" | "offline_while_asleep";
                            /** @description Why it is not online; null if it is, or if the gateway does not say. */
                            reason: string | null;
                            /** @description Why the gateway was started without the channel. `configuration_rejected`: it rejects the channel's settings; `reason` has its text. `not_in_image`: the image does not support it. Null if it was not. */
                            cause: ("configuration_rejected" | "not_in_image") | null;
                            /** @description What to do about the cause; null without one. */
                            remedy: string | null;
                            /** @description Whether the platform connected it; else the tenant did within its gateway, such as WhatsApp. */
                            is_own: boolean;
                            /** @description Whether it keeps the instance awake while it is connected, by the plan. */
                            keeps_awake: boolean;
                            /** @description Kind of channel that receives messages of this messenger while the instance sleeps; null without one. */
                            webhook_kind: string | null;
                        } | null;
                        /**
                         * @description What became of a message to the bot. `none`: the inbox lists none.
                         * @enum {string}
                         */
                        message: "none" | "queued" | "delivering" | "accepted" | "dead";
                        /** @description What to do next; empty if the channel works. */
                        steps: string[];
                    };
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description What remains to be done at the vendor by hand. */
                        remaining: string[];
                    };
                };
            };
        };
    };
    listProviderKeys: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["ProviderKey"][];
                    };
                };
            };
        };
    };
    putProviderKey: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
                /** @description The provider, by its name at AI gateways. */
                provider: "anthropic" | "deepseek" | "google-ai-studio" | "grok" | "groq" | "mistral" | "openai" | "openrouter";
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The key. No response returns it. Spaces around it are removed. */
                    key: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProviderKey"];
                };
            };
        };
    };
    deleteProviderKey: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
                /** @description The provider, by its name at AI gateways. */
                provider: "anthropic" | "deepseek" | "google-ai-studio" | "grok" | "groq" | "mistral" | "openai" | "openrouter";
            };
        };
        responses: {
            204: {
            };
        };
    };
    getSpending: {
        parameters: {
            query?: {
                /** @description First day. Default: 29 days before `to`. */
                from?: string;
                /** @description Last day. Default: today. */
                to?: string;
                /** @description What divides the spending. */
                by?: "model" | "person";
                /** @description Length of a period. */
                per?: "day" | "month";
            };
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * Format: date
                         * @description First day. Default: 29 days before `to`.
                         */
                        from: string;
                        /**
                         * Format: date
                         * @description Last day. Default: today.
                         */
                        to: string;
                        /** @description The entries, ordered by period, then highest spending first. */
                        data: {
                            /**
                             * Format: date
                             * @description First day of the day or month.
                             */
                            period: string;
                            /** @description Model or person; null if it is unknown. */
                            name: string | null;
                            /** @description Provider of the model; null by person. */
                            provider: string | null;
                            /** @description Spending in millionths of a US dollar, without calls that the client's own provider keys pay. */
                            spent_micros: number;
                            /** @description Calls that a model answered. */
                            calls: number;
                            /** @description Tokens of the requests. */
                            input_tokens: number;
                            /** @description Tokens of the responses. */
                            output_tokens: number;
                        }[];
                        /** @description Whether entries with the lowest spending are omitted, because there are too many. */
                        truncated: boolean;
                    };
                };
            };
        };
    };
    getSpendingCap: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description ID of the client.
                         */
                        client_id: string;
                        /** @description What the client may spend on models in 30 days, in millionths of a US dollar; null: what its plan permits. */
                        cap_micros: number | null;
                        /** @description What the client's plan permits in 30 days, in millionths of a US dollar; null: any amount. */
                        maximum_micros: number | null;
                        /** @description Spending of the last 30 days in millionths of a US dollar, from the billing ledger. */
                        spent_micros: number;
                        /** @description Increases with each change; the `ETag` of the object. */
                        version: number;
                    };
                };
            };
        };
    };
    setSpendingCap: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the client may spend on models in 30 days, in millionths of a US dollar; null: what its plan permits. */
                    cap_micros: number | null;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description ID of the client.
                         */
                        client_id: string;
                        /** @description What the client may spend on models in 30 days, in millionths of a US dollar; null: what its plan permits. */
                        cap_micros: number | null;
                        /** @description What the client's plan permits in 30 days, in millionths of a US dollar; null: any amount. */
                        maximum_micros: number | null;
                        /** @description Spending of the last 30 days in millionths of a US dollar, from the billing ledger. */
                        spent_micros: number;
                        /** @description Increases with each change; the `ETag` of the object. */
                        version: number;
                    };
                };
            };
        };
    };
    listModelCalls: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
                /** @description Only calls of this UTC day. */
                day?: string;
                /** @description Only calls of this model. */
                model?: string;
                /** @description Only calls that succeeded or failed, or that the filter of personal data flagged or blocked. */
                outcome?: "succeeded" | "failed" | "flagged" | "blocked";
            };
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: {
                            /** @description ID of the call in the log. */
                            id: string;
                            /**
                             * Format: date-time
                             * @description When the call began.
                             */
                            at: string;
                            /** @description Duration in milliseconds. */
                            duration_ms: number;
                            /** @description Provider of the model. */
                            provider: string;
                            /** @description The model. */
                            model: string;
                            /** @description For whom the call was made, as the gateway stated it; null if it is unknown. */
                            person: string | null;
                            /** @description HTTP status of the response; null if the log has none. */
                            status_code: number | null;
                            /** @description Whether a model answered. */
                            success: boolean;
                            /** @description Whether the response is from the cache. */
                            cached: boolean;
                            /** @description Tokens of the request. */
                            input_tokens: number;
                            /** @description Tokens of the response. */
                            output_tokens: number;
                            /** @description Cost in millionths of a US dollar, by the prices of the AI gateway. */
                            cost_micros: number;
                            /** @description Whether the client's own provider key paid. */
                            own_key: boolean;
                            /** @description What the filter of personal data found; null for nothing. */
                            findings: {
                                /**
                                 * @description What the filter did.
                                 * @enum {string}
                                 */
                                action: "flagged" | "blocked";
                                /** @description Where it found something. */
                                in: ("request" | "response")[];
                                /** @description IDs of the profiles of data loss prevention that matched. */
                                profiles: string[];
                            } | null;
                        }[];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    getEgress: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Egress"];
                };
            };
        };
    };
    putEgress: {
        parameters: {
            query?: {
                /** @description `true`: stores nothing, and returns what the policy would refuse of the recorded traffic. */
                preview?: "true" | "false";
            };
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The policy. Null states nothing. */
                    policy: {
                        /**
                         * @description `open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.
                         * @enum {string}
                         */
                        mode: "open" | "audit" | "allowlist";
                        /** @description At most 1,000 hosts that the mode `allowlist` allows; other modes ignore them. An entry can be a text: `host [ports] [METHODS]`, such as `api.example.com 443 GET,HEAD`. Default: none. */
                        entries?: ({
                            /** @description A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address. */
                            host: string;
                            /** @description Ports of the host. Default: 80 and 443. */
                            ports?: number[];
                            /** @description HTTP methods. Default: all. */
                            methods?: string[];
                        } | string)[];
                    } | null;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * @description The strictest mode of the policies, which holds.
                         * @enum {string}
                         */
                        mode: "open" | "audit" | "allowlist";
                        /** @description The policies, from the plan to the tenant. */
                        layers: {
                            /** @description Default of the billing plan. */
                            plan: {
                                /**
                                 * @description `open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.
                                 * @enum {string}
                                 */
                                mode: "open" | "audit" | "allowlist";
                                /**
                                 * @description Hosts that the mode `allowlist` allows; other modes ignore them. Default: none.
                                 * @default []
                                 */
                                entries: {
                                    /** @description A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address. */
                                    host: string;
                                    /** @description Default: 80 and 443. */
                                    ports?: number[];
                                    /** @description HTTP methods. Default: all. */
                                    methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "PROPFIND" | "PROPPATCH" | "MKCOL" | "COPY" | "MOVE" | "LOCK" | "UNLOCK" | "REPORT" | "SEARCH")[];
                                }[];
                            } | null;
                            /** @description Bound of the platform; null if it states none. */
                            platform: {
                                /**
                                 * @description `open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.
                                 * @enum {string}
                                 */
                                mode: "open" | "audit" | "allowlist";
                                /**
                                 * @description Hosts that the mode `allowlist` allows; other modes ignore them. Default: none.
                                 * @default []
                                 */
                                entries: {
                                    /** @description A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address. */
                                    host: string;
                                    /** @description Default: 80 and 443. */
                                    ports?: number[];
                                    /** @description HTTP methods. Default: all. */
                                    methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "PROPFIND" | "PROPPATCH" | "MKCOL" | "COPY" | "MOVE" | "LOCK" | "UNLOCK" | "REPORT" | "SEARCH")[];
                                }[];
                            } | null;
                            /** @description Policy of the client's partner; null if it states none. */
                            partner: {
                                /**
                                 * @description `open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.
                                 * @enum {string}
                                 */
                                mode: "open" | "audit" | "allowlist";
                                /**
                                 * @description Hosts that the mode `allowlist` allows; other modes ignore them. Default: none.
                                 * @default []
                                 */
                                entries: {
                                    /** @description A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address. */
                                    host: string;
                                    /** @description Default: 80 and 443. */
                                    ports?: number[];
                                    /** @description HTTP methods. Default: all. */
                                    methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "PROPFIND" | "PROPPATCH" | "MKCOL" | "COPY" | "MOVE" | "LOCK" | "UNLOCK" | "REPORT" | "SEARCH")[];
                                }[];
                            } | null;
                            /** @description Policy of the tenant; null if it states none. */
                            tenant: {
                                /**
                                 * @description `open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.
                                 * @enum {string}
                                 */
                                mode: "open" | "audit" | "allowlist";
                                /**
                                 * @description Hosts that the mode `allowlist` allows; other modes ignore them. Default: none.
                                 * @default []
                                 */
                                entries: {
                                    /** @description A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address. */
                                    host: string;
                                    /** @description Default: 80 and 443. */
                                    ports?: number[];
                                    /** @description HTTP methods. Default: all. */
                                    methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "PROPFIND" | "PROPPATCH" | "MKCOL" | "COPY" | "MOVE" | "LOCK" | "UNLOCK" | "REPORT" | "SEARCH")[];
                                }[];
                            } | null;
                        };
                        /**
                         * @description `none`: partner, tenant and secrets state nothing. `pushing`: the tenant does not have the present policies and secrets yet. `push_failed`: they could not be sent. `active`: the tenant has them.
                         * @enum {string}
                         */
                        state: "none" | "pushing" | "push_failed" | "active";
                        /** @description Why the last push failed, and what to do; null without a fault. */
                        last_error: string | null;
                        /** @description When the tenant last received policies and secrets; null if never. */
                        pushed_at: string | null;
                        /** @description Increases with each change; the `ETag` of the object. */
                        version: number;
                        /** @description Recorded traffic that was allowed and that the policy would refuse. Null unless `preview` is true. */
                        would_refuse: components["schemas"]["EgressLoss"][] | null;
                    };
                };
            };
        };
    };
    listEgressHosts: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EgressHosts"];
                };
            };
        };
    };
    createEgressAllowlist: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Whether the policy becomes the tenant's. Default: it is only returned.
                     * @default false
                     */
                    store?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The policy. Null states nothing. */
                        policy: {
                            /**
                             * @description `open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.
                             * @enum {string}
                             */
                            mode: "open" | "audit" | "allowlist";
                            /**
                             * @description At most 1,000 hosts that the mode `allowlist` allows; other modes ignore them. An entry can be a text: `host [ports] [METHODS]`, such as `api.example.com 443 GET,HEAD`. Default: none.
                             * @default []
                             */
                            entries: {
                                /** @description A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address. */
                                host: string;
                                /** @description Ports of the host. Default: 80 and 443. */
                                ports?: number[];
                                /** @description HTTP methods. Default: all. */
                                methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "PROPFIND" | "PROPPATCH" | "MKCOL" | "COPY" | "MOVE" | "LOCK" | "UNLOCK" | "REPORT" | "SEARCH")[];
                            }[];
                        };
                        /** @description The policies of the instance after the change; null unless `store` is true. */
                        stored: components["schemas"]["Egress"] | null;
                    };
                };
            };
        };
    };
    getPartnerEgress: {
        parameters: {
            path: {
                /** @description ID of the partner. */
                partner_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PartnerEgress"];
                };
            };
        };
    };
    putPartnerEgress: {
        parameters: {
            path: {
                /** @description ID of the partner. */
                partner_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The policy. Null states nothing. */
                    policy: {
                        /**
                         * @description `open`: any public host. `audit`: the same, and hosts are recorded. `allowlist`: the hosts of `entries` only.
                         * @enum {string}
                         */
                        mode: "open" | "audit" | "allowlist";
                        /** @description At most 1,000 hosts that the mode `allowlist` allows; other modes ignore them. An entry can be a text: `host [ports] [METHODS]`, such as `api.example.com 443 GET,HEAD`. Default: none. */
                        entries?: ({
                            /** @description A host, `*.example.com` for all subdomains of `example.com` without itself, or an IP address. */
                            host: string;
                            /** @description Ports of the host. Default: 80 and 443. */
                            ports?: number[];
                            /** @description HTTP methods. Default: all. */
                            methods?: string[];
                        } | string)[];
                    } | null;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PartnerEgress"];
                };
            };
        };
    };
    listEgressSecrets: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["EgressSecret"][];
                    };
                };
            };
        };
    };
    createEgressSecret: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the secret. A secret with this name is replaced. */
                    name: string;
                    /** @description The host whose HTTPS requests get the secret. An exact name, not an IP address. */
                    host: string;
                    /**
                     * @description The header that has the secret. Default: `authorization`.
                     * @default authorization
                     */
                    header?: string;
                    /**
                     * @description Text of the header before the value, such as `Bearer `. Default: none.
                     * @default
                     */
                    prefix?: string;
                    /** @description The secret. No response returns it. Spaces around it are removed. */
                    value: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["EgressSecret"];
                };
            };
        };
    };
    deleteEgressSecret: {
        parameters: {
            path: {
                /** @description ID of the instance. */
                instance_id: string;
                /** @description ID of the egress secret. */
                secret_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
                /** @description Only jobs with this status. */
                status?: "queued" | "running" | "succeeded" | "failed" | "cancelled";
                /** @description Only jobs of this kind. */
                kind?: "provision" | "deprovision" | "change_plan" | "freeze" | "resume" | "assign_gateway" | "rotate_token" | "final_backup" | "adopt_version" | "restore_backup" | "delete_client" | "invalidate" | "redeploy" | "push_channels" | "push_provider_keys" | "push_egress";
                /** @description Only jobs of this client. */
                client_id?: string;
                /** @description Only jobs of this instance. */
                instance_id?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["Job"][];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    getJob: {
        parameters: {
            path: {
                /** @description ID of the job. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description ID of the job.
                         */
                        id: string;
                        /**
                         * @description The operation.
                         * @enum {string}
                         */
                        kind: "provision" | "deprovision" | "change_plan" | "freeze" | "resume" | "assign_gateway" | "rotate_token" | "final_backup" | "adopt_version" | "restore_backup" | "delete_client" | "invalidate" | "redeploy" | "push_channels" | "push_provider_keys" | "push_egress";
                        /**
                         * @description `queued`, `running`, or how the job ended.
                         * @enum {string}
                         */
                        status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
                        /** @description ID of the client; null once the client is deleted. */
                        client_id: string | null;
                        /** @description ID of the instance; null once the instance is deleted. */
                        instance_id: string | null;
                        /** @description Slug of the client. */
                        slug: string;
                        /** @description Generation of the instance that the job is for; null if it is for none. */
                        generation: number | null;
                        /** @description The rollout that the job belongs to, which alone can cancel it; null without one. */
                        rollout_id: string | null;
                        /** @description ID of the backup that a job of kind `restore_backup` restores; null for other kinds. */
                        backup_id: string | null;
                        /** @description Why it failed or was cancelled, and what to do; null otherwise. */
                        cause: string | null;
                        /** @description Number of attempts so far. */
                        attempts: number;
                        /** @description Percent done, for jobs that deploy; 100 after success. */
                        progress: number;
                        /** @description E-mail address of the user who requested it, or `service`. */
                        requested_by: string;
                        /**
                         * Format: date-time
                         * @description When it was requested.
                         */
                        created_at: string;
                        /** @description When it started; null before. */
                        started_at: string | null;
                        /** @description When it ended; null before. */
                        ended_at: string | null;
                        /** @description Earliest start of the job; null for none. */
                        not_before: string | null;
                        /**
                         * Format: date-time
                         * @description Until when it may run.
                         */
                        deadline: string;
                        /** @description ID of the newest later job of this kind for the same client; null without one. */
                        followed_by: string | null;
                        /** @description The latest 200 events, oldest first. */
                        events: {
                            /** @description Increases with each event. */
                            id: number;
                            /**
                             * Format: date-time
                             * @description Time of the entry.
                             */
                            at: string;
                            /** @description `step` for an operation on a resource, else the kind of the event. */
                            kind: string;
                            /** @description Sentence for people. */
                            message: string;
                            /** @description The operation on a resource; null unless `kind` is `step`. */
                            step: {
                                /**
                                 * @description Whether the operation started, is done, or failed.
                                 * @enum {string}
                                 */
                                phase: "begun" | "done" | "failed";
                                /** @description `create`, `update`, `delete` or another operation of the engine. */
                                operation: string;
                                /** @description Type of the resource. */
                                type: string;
                                /** @description Name of the resource. */
                                resource: string;
                                /** @description Duration in milliseconds. */
                                milliseconds: number;
                            } | null;
                        }[];
                    };
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    retryJob: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    listClientUsers: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
                /** @description Only users with this status. */
                status?: "invited" | "validated" | "rejected";
            };
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["ClientUser"][];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    inviteClientUser: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description E-mail address, in lower case. */
                    email: string;
                    /** @description Display name, one line. Default: none. */
                    name?: string;
                    /**
                     * @description `ADMIN` manages the gateway of a client, `BASE_USER` uses it.
                     * @enum {string}
                     */
                    role: "ADMIN" | "BASE_USER";
                    /** @description IDs of the instances that the user can open. */
                    instance_ids: string[];
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["ClientUser"];
                };
            };
        };
    };
    updateClientUser: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
                /** @description ID of the client user. */
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Display name, one line. Default: unchanged. */
                    name?: string;
                    /**
                     * @description New role. Default: unchanged.
                     * @enum {string}
                     */
                    role?: "ADMIN" | "BASE_USER";
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ClientUser"];
                };
            };
        };
    };
    removeClientUser: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
                /** @description ID of the client user. */
                id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    resendInvitation: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
                /** @description ID of the client user. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ClientUser"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
                /** @description ID of the client user. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ClientUser"];
                };
            };
        };
    };
    listServiceTokens: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: {
                            /**
                             * Format: uuid
                             * @description ID of the object.
                             */
                            id: string;
                            /**
                             * Format: uuid
                             * @description ID of the client.
                             */
                            client_id: string;
                            /**
                             * Format: uuid
                             * @description ID of the client user for whom the program or device acts.
                             */
                            client_user_id: string;
                            /** @description E-mail address, in lower case. */
                            email: string;
                            /** @description Display name. */
                            name: string;
                            /**
                             * @description `ADMIN` manages the gateway of a client, `BASE_USER` uses it.
                             * @enum {string}
                             */
                            role: "ADMIN" | "BASE_USER";
                            /** @description Value of the header `CF-Access-Client-Id`. */
                            access_client_id: string;
                            /** @description Address of the dashboard's user who created it. */
                            created_by: string;
                            /**
                             * Format: date-time
                             * @description When the object was created.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When it stops being valid.
                             */
                            expires_at: string;
                            /** @description When it was last used, exact to a few minutes; null before the first use. */
                            last_used_at: string | null;
                        }[];
                    };
                };
            };
        };
    };
    createServiceToken: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description ID of the client user for whom the program or device acts.
                     */
                    client_user_id: string;
                    /** @description Display name. */
                    name: string;
                    /**
                     * @description Highest role of the token. The user's present role limits it too.
                     * @enum {string}
                     */
                    role: "ADMIN" | "BASE_USER";
                    /**
                     * @description Days until it expires.
                     * @default 90
                     */
                    days?: number;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description ID of the object.
                         */
                        id: string;
                        /**
                         * Format: uuid
                         * @description ID of the client.
                         */
                        client_id: string;
                        /**
                         * Format: uuid
                         * @description ID of the client user for whom the program or device acts.
                         */
                        client_user_id: string;
                        /** @description E-mail address, in lower case. */
                        email: string;
                        /** @description Display name. */
                        name: string;
                        /**
                         * @description Highest role of the token. The user's present role limits it too.
                         * @enum {string}
                         */
                        role: "ADMIN" | "BASE_USER";
                        /** @description Value of the header `CF-Access-Client-Id`. */
                        access_client_id: string;
                        /** @description Address of the dashboard's user who created it. */
                        created_by: string;
                        /**
                         * Format: date-time
                         * @description When the object was created.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it stops being valid.
                         */
                        expires_at: string;
                        /** @description When it was last used; null before the first use. */
                        last_used_at: string | null;
                        /** @description Value of the header `CF-Access-Client-Secret`. No other response has it. */
                        client_secret: string;
                    };
                };
            };
        };
    };
    revokeServiceToken: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
                /** @description ID of the service token. */
                id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    getNotificationSettings: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Choice for each kind of notification. */
                        kinds: {
                            [key: string]: {
                                /**
                                 * @description `at_once`, `daily` for one mail a day with others, or `off`.
                                 * @enum {string}
                                 */
                                mail: "off" | "at_once" | "daily";
                                /** @description Whether the webhook gets it. */
                                webhook: boolean;
                            };
                        };
                        /** @description The webhook; null without one. */
                        webhook: {
                            /** @description Host of the webhook. Its path can be a secret and is not returned. */
                            host: string;
                            /** @description Since when each delivery has failed; null if the last one did not. */
                            failing_since: string | null;
                            /** @description When the webhook was disabled after three days of failures; null while it is enabled. */
                            disabled_at: string | null;
                        } | null;
                        /** @description Increases with each change; the `ETag` of the object. */
                        version: number;
                    };
                };
            };
        };
    };
    setNotificationSettings: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Choice for each kind of notification. */
                    kinds?: {
                        [key: string]: {
                            /**
                             * @description `at_once`, `daily` for one mail a day with others, or `off`.
                             * @enum {string}
                             */
                            mail: "off" | "at_once" | "daily";
                            /** @description Whether the webhook gets it. */
                            webhook: boolean;
                        };
                    };
                    /** @description The webhook; null without one. */
                    webhook?: {
                        /** @description URL of the webhook. It begins with `https://` and has a host of the public internet. */
                        url: string;
                    } | null;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description Choice for each kind of notification. */
                        kinds: {
                            [key: string]: {
                                /**
                                 * @description `at_once`, `daily` for one mail a day with others, or `off`.
                                 * @enum {string}
                                 */
                                mail: "off" | "at_once" | "daily";
                                /** @description Whether the webhook gets it. */
                                webhook: boolean;
                            };
                        };
                        /** @description The webhook; null without one. */
                        webhook: {
                            /** @description Host of the webhook. Its path can be a secret and is not returned. */
                            host: string;
                            /** @description Since when each delivery has failed; null if the last one did not. */
                            failing_since: string | null;
                            /** @description When the webhook was disabled after three days of failures; null while it is enabled. */
                            disabled_at: string | null;
                        } | null;
                        /** @description Increases with each change; the `ETag` of the object. */
                        version: number;
                        /** @description Secret of a webhook that this request set, for its signatures; null otherwise. It is not returned again. */
                        webhook_secret: string | null;
                    };
                };
            };
        };
    };
    testNotifications: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": {
                        /**
                         * @description The test is sent in a moment.
                         * @constant
                         */
                        requested: true;
                    };
                };
            };
        };
    };
    listNotificationDeliveries: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
            };
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: {
                            /**
                             * Format: uuid
                             * @description ID of the object.
                             */
                            id: string;
                            /** @description Kind of the notification; `test` for a test. */
                            kind: string;
                            /** @description What happened, in one sentence. */
                            subject: string;
                            /**
                             * Format: date-time
                             * @description When it happened.
                             */
                            occurred_at: string;
                            /**
                             * @description How it was sent.
                             * @enum {string}
                             */
                            channel: "mail" | "webhook";
                            /** @description E-mail address, in lower case. */
                            email: string;
                            /**
                             * @description `waiting`: for the next daily mail. `queued`: it is sent next. `sent`. `failed`: the last attempt failed. `dropped`: it was no longer wanted.
                             * @enum {string}
                             */
                            state: "waiting" | "queued" | "sent" | "failed" | "dropped";
                            /** @description Number of attempts so far. */
                            attempts: number;
                            /** @description Last response of the mail server or the webhook; null before one. */
                            answer: string | null;
                            /**
                             * Format: date-time
                             * @description When the object was created.
                             */
                            created_at: string;
                            /** @description When it ended; null before. */
                            ended_at: string | null;
                        }[];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    listConsoleTokens: {
        parameters: {
            path: {
                /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                slug: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The client that it belongs to. */
                        client: {
                            /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                            slug: string;
                            /** @description Display name. */
                            name: string;
                            /**
                             * @description Environment of the platform.
                             * @enum {string}
                             */
                            environment: "production" | "staging" | "development";
                        };
                        /**
                         * Format: uuid
                         * @description ID of the user who is logged in.
                         */
                        user_id: string;
                        /** @description Users for whom the user can create tokens, the user first. */
                        users: {
                            /**
                             * Format: uuid
                             * @description ID of the object.
                             */
                            id: string;
                            /** @description E-mail address, in lower case. */
                            email: string;
                            /**
                             * @description `ADMIN` manages the gateway of a client, `BASE_USER` uses it.
                             * @enum {string}
                             */
                            role: "ADMIN" | "BASE_USER";
                        }[];
                        /** @description Service tokens that the user may see, newest first. */
                        tokens: {
                            /**
                             * Format: uuid
                             * @description ID of the object.
                             */
                            id: string;
                            /**
                             * Format: uuid
                             * @description ID of the client.
                             */
                            client_id: string;
                            /**
                             * Format: uuid
                             * @description ID of the client user for whom the program or device acts.
                             */
                            client_user_id: string;
                            /** @description E-mail address, in lower case. */
                            email: string;
                            /** @description Display name. */
                            name: string;
                            /**
                             * @description `ADMIN` manages the gateway of a client, `BASE_USER` uses it.
                             * @enum {string}
                             */
                            role: "ADMIN" | "BASE_USER";
                            /** @description Value of the header `CF-Access-Client-Id`. */
                            access_client_id: string;
                            /** @description Address of the client's user who created it; `operator` for an operator. */
                            created_by: string;
                            /**
                             * Format: date-time
                             * @description When the object was created.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When it stops being valid.
                             */
                            expires_at: string;
                            /** @description When it was last used, exact to a few minutes; null before the first use. */
                            last_used_at: string | null;
                        }[];
                    };
                };
            };
        };
    };
    createConsoleToken: {
        parameters: {
            path: {
                /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                slug: string;
                /** @description ID of the token, which you choose. */
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description User for whom the program or device acts. Default: you.
                     */
                    client_user_id?: string;
                    /** @description Display name. */
                    name: string;
                    /**
                     * @description Highest role of the token. The user's present role limits it too.
                     * @enum {string}
                     */
                    role: "ADMIN" | "BASE_USER";
                    /**
                     * @description Days until it expires.
                     * @default 90
                     */
                    days?: number;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description ID of the token, which you choose.
                         */
                        id: string;
                        /**
                         * Format: uuid
                         * @description ID of the client.
                         */
                        client_id: string;
                        /**
                         * Format: uuid
                         * @description User for whom the program or device acts. Default: you.
                         */
                        client_user_id: string;
                        /** @description E-mail address, in lower case. */
                        email: string;
                        /** @description Display name. */
                        name: string;
                        /**
                         * @description Highest role of the token. The user's present role limits it too.
                         * @enum {string}
                         */
                        role: "ADMIN" | "BASE_USER";
                        /** @description Value of the header `CF-Access-Client-Id`. */
                        access_client_id: string;
                        /** @description Your address. */
                        created_by: string;
                        /**
                         * Format: date-time
                         * @description When the object was created.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it stops being valid.
                         */
                        expires_at: string;
                        /** @description When it was last used; null before the first use. */
                        last_used_at: string | null;
                        /** @description Value of the header `CF-Access-Client-Secret`. No other response has it. */
                        client_secret: string;
                    };
                };
            };
        };
    };
    revokeConsoleToken: {
        parameters: {
            path: {
                /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                slug: string;
                /** @description ID of the service token. */
                id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
                /** @description Only roots of the dashboard, or only people. */
                kind?: "dashboard" | "person";
                /** @description Only users of this partner. */
                partner_id?: string;
                /** @description Part of the address or name. */
                search?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["User"][];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    createUser: {
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description E-mail address, in lower case.
                     */
                    email: string;
                    /**
                     * @description Display name.
                     * @default
                     */
                    name?: string;
                    /**
                     * @description `ROOT` and `PARTNER_ROOT` create a root, which only a platform root can do. Other roles create a person.
                     * @enum {string}
                     */
                    role: "ROOT" | "PARTNER_ROOT" | "ADMIN" | "BASE_USER";
                    /** @description Partner of the user, required for `PARTNER_ROOT`. Default for a person: none, or the caller's partner. */
                    partner_id?: string | null;
                    /** @description How Cloudflare Access identifies the user, as the identity provider reports it; null if unknown. */
                    cf_access_identity?: {
                        [key: string]: components["schemas"]["JsonValue"];
                    } | null;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            path: {
                /** @description ID of the user. */
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            path: {
                /** @description ID of the user. */
                user_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    linkUser: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
                /** @description ID of the user. */
                user_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Role at the client. Default: the person's own role.
                     * @enum {string}
                     */
                    role?: "ADMIN" | "BASE_USER";
                    /** @description Instances that the user can open. Default: the client's instance. */
                    instance_ids?: string[];
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    listPartners: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["Partner"][];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    createPartner: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                    slug: string;
                    /** @description Display name, one line. Default: the slug. */
                    name?: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Partner"];
                };
            };
        };
    };
    getPartner: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Partner"];
                };
            };
        };
    };
    updatePartner: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                    slug?: string;
                    /** @description Display name. */
                    name?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Partner"];
                };
            };
        };
    };
    deletePartner: {
        parameters: {
            query?: {
                /** @description `true` also deletes the people, roots and domains of the partner. */
                cascade?: "true" | "false";
            };
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    getPartnerStyle: {
        parameters: {
            path: {
                /** @description ID of the partner. */
                partner_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PartnerStyle"];
                };
            };
        };
    };
    putPartnerStyle: {
        parameters: {
            path: {
                /** @description ID of the partner. */
                partner_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name on pages and in mails. Default: the partner's name. */
                    display_name?: string | null;
                    /** @description Colours as #rrggbb, with enough contrast; null for the platform's. */
                    colours?: {
                        /** @description Text colour, as #rrggbb. */
                        text: string;
                        /** @description Background colour, as #rrggbb. */
                        background: string;
                        /** @description Colour of buttons and links, as #rrggbb. */
                        accent: string;
                    } | null;
                    /** @description E-mail address for help; null for the platform's. */
                    support_address?: string | null;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PartnerStyle"];
                };
            };
        };
    };
    previewPartnerStyle: {
        parameters: {
            query?: {
                /** @description What to show: the invitation page, or the mail. */
                page?: "invitation" | "mail";
                /** @description Name to show. Default: the partner's name. */
                display_name?: string;
                /** @description Text colour, as #rrggbb. */
                text?: string;
                /** @description Background colour, as #rrggbb. */
                background?: string;
                /** @description Colour of buttons and links, as #rrggbb. */
                accent?: string;
                /** @description Address to show. Default: the platform's. */
                support_address?: string;
            };
            path: {
                /** @description ID of the partner. */
                partner_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    putPartnerLogo: {
        parameters: {
            path: {
                /** @description ID of the partner. */
                partner_id: string;
            };
        };
        /** @description The file, at most 256 KiB. */
        requestBody: {
            content: {
                "image/png": string;
                "image/jpeg": string;
                "image/webp": string;
                "image/svg+xml": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PartnerStyle"];
                };
            };
        };
    };
    deletePartnerLogo: {
        parameters: {
            path: {
                /** @description ID of the partner. */
                partner_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    getPartnerLogo: {
        parameters: {
            query?: {
                /** @description Hash in `logo_url`. A response with it never changes. */
                hash?: string;
            };
            path: {
                /** @description ID of the partner. */
                partner_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                    "image/svg+xml": string;
                };
            };
        };
    };
    listPartnerDomains: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
            };
            path: {
                /** @description ID of the partner. */
                partner_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: {
                            /**
                             * Format: uuid
                             * @description ID of the object.
                             */
                            id: string;
                            /** @description Host name. */
                            hostname: string;
                            /** @description When the ownership of the host was verified; null before. */
                            verified_at: string | null;
                            /**
                             * Format: date-time
                             * @description When the object was created.
                             */
                            created_at: string;
                        }[];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    addPartnerDomain: {
        parameters: {
            path: {
                /** @description ID of the partner. */
                partner_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Host name. */
                    hostname: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description ID of the object.
                         */
                        id: string;
                        /** @description Host name. */
                        hostname: string;
                        /** @description When the ownership of the host was verified; null before. */
                        verified_at: string | null;
                        /**
                         * Format: date-time
                         * @description When the object was created.
                         */
                        created_at: string;
                    };
                };
            };
        };
    };
    removePartnerDomain: {
        parameters: {
            path: {
                /** @description ID of the partner. */
                partner_id: string;
                /** @description ID of the host's entry. */
                domain_id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    listIncidents: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
                /** @description `true` for open incidents, `false` for closed ones. Default: both. */
                open?: "true" | "false";
                /** @description Only incidents of this instance. */
                instance_id?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["Incident"][];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    acknowledgeIncident: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
        };
    };
    getCredit: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Credit"] | null;
                };
            };
        };
    };
    updateCredit: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whether the client pays in advance, and its tenant stops without credit. */
                    prepaid?: boolean;
                    /** @description Balance below which the client is warned, in millionths of a US dollar. */
                    warn_below_micros?: number;
                    /** @description Whether the client is deleted some weeks after its credit is used up. */
                    delete_when_exhausted?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Credit"];
                };
            };
        };
    };
    listCreditEntries: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
            };
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["CreditEntry"][];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    topUpCredit: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Amount in millionths of a US dollar. */
                    amount_micros: number;
                    /** @description Reference of the payment, such as an order number. Each is booked once per client. */
                    reference: string;
                    /**
                     * @description Note for people.
                     * @default
                     */
                    note?: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Credit"];
                };
            };
        };
    };
    listUsage: {
        parameters: {
            query?: {
                /** @description First UTC day. Default: 29 days before `to`. */
                from?: string;
                /** @description Last UTC day, included. Default: today. */
                to?: string;
            };
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: {
                            /**
                             * Format: date
                             * @description UTC day.
                             */
                            day: string;
                            /**
                             * @description Metric of the usage.
                             * @enum {string}
                             */
                            metric: "ai_queries" | "ai_spend" | "container_activity" | "container_uptime" | "object_storage_bandwidth" | "websocket_sessions";
                            /** @description Quantity in the metric's unit. */
                            quantity: number;
                        }[];
                    };
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
            };
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["InvoiceSummary"][];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    getInvoice: {
        parameters: {
            path: {
                /** @description ID of the invoice. */
                invoice_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    getInvoicePdf: {
        parameters: {
            path: {
                /** @description ID of the invoice. */
                invoice_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    listPlans: {
        parameters: {
            path: {
                /** @description ID of the client. */
                client_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * @description The client's plan.
                         * @enum {string}
                         */
                        current: "free" | "basic" | "pro" | "enterprise";
                        /**
                         * Format: date
                         * @description First day of the month of the fees.
                         */
                        month_start: string;
                        /**
                         * Format: date
                         * @description First day after the month of the fees.
                         */
                        month_end: string;
                        /** @description The entries. */
                        data: {
                            /**
                             * @description Billing plan.
                             * @enum {string}
                             */
                            plan: "free" | "basic" | "pro" | "enterprise";
                            /** @description Monthly fee in millionths of a US dollar; null for a plan without a price. */
                            monthly_micros: number | null;
                            /** @description Fees of this month in millionths of a US dollar, if the plan changes today; null for a plan without a price. */
                            month_micros: number | null;
                            /** @description Difference from this month's fees of the current plan; null if unknown. */
                            month_change_micros: number | null;
                            /** @description Size of the container. */
                            container: {
                                /** @description Memory in MiB. */
                                memory_mib: number;
                                /** @description Share of virtual CPUs. */
                                vcpu: number;
                                /** @description Disk in GB. */
                                disk_gb: number;
                            };
                            /** @description Limits of the plan. */
                            limits: {
                                /** @description Processor time of one request to the tenant's Worker, in milliseconds. */
                                cpu_ms: number;
                                /** @description Requests that one request may cause. */
                                subrequests: number;
                                /** @description Maximum size of a backup in bytes; null if it is as agreed. */
                                backup_bytes: number | null;
                                /** @description Idle time until the instance sleeps; null if it never does. */
                                sleep_after_seconds: number | null;
                                /** @description Whether it also sleeps with connected channels. */
                                sleeps_with_channels: boolean;
                                /** @description Maximum number of doors. */
                                doors: number;
                                /** @description Maximum number of waiting messages. */
                                inbox_messages: number;
                                /** @description Maximum spending on models in 30 days, in US dollars; null for no limit. */
                                ai_spend_usd: number | null;
                            };
                        }[];
                        /** @description Why an ADMIN cannot change the plan now; null if an ADMIN can. */
                        refusal: string | null;
                    };
                };
            };
        };
    };
    listPrices: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description All prices. */
                        prices: components["schemas"]["Price"][];
                    };
                };
            };
        };
    };
    setPrice: {
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Billing plan.
                     * @enum {string}
                     */
                    plan: "free" | "basic" | "pro" | "enterprise";
                    /**
                     * @description Metric, or `flat_fee` for the monthly fee of the plan, with `per_units` 1.
                     * @enum {string}
                     */
                    metric: "flat_fee" | "ai_queries" | "ai_spend" | "container_activity" | "container_uptime" | "object_storage_bandwidth" | "websocket_sessions";
                    /** @description Quantity that the price is for. */
                    per_units: number;
                    /** @description Price in millionths of a US dollar. */
                    micros: number;
                    /**
                     * Format: date
                     * @description First day (UTC) of the price. It is valid until the next price of its plan and metric.
                     */
                    valid_from: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /** @description All prices. */
                        prices: components["schemas"]["Price"][];
                    };
                };
            };
        };
    };
    getGlobalAnalytics: {
        parameters: {
            query?: {
                /** @description Length of the period in days, which ends now. */
                days?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GlobalAnalytics"];
                };
            };
        };
    };
    getPartnerSpend: {
        parameters: {
            query?: {
                /** @description Length of the period in days, which ends now. */
                days?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PartnerSpend"];
                };
            };
        };
    };
    listAiGateways: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["AiGateway"][];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    createAiGateway: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description ID of the gateway at Cloudflare. */
                    gateway_id: string;
                    /** @description The one environment whose instances can bind it; null for any. Default: any in production, elsewhere the dashboard's own. */
                    environment?: ("production" | "staging" | "development") | null;
                    /**
                     * @description Whether new instances can bind it.
                     * @default true
                     */
                    enabled?: boolean;
                    /** @description How many instances can bind it. */
                    max_instances: number;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["AiGateway"];
                };
            };
        };
    };
    getAiGateway: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AiGateway"];
                };
            };
        };
    };
    updateAiGateway: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The one environment whose instances can bind it; null for any. Default: unchanged. */
                    environment?: ("production" | "staging" | "development") | null;
                    /** @description Whether new instances can bind it. */
                    enabled?: boolean;
                    /** @description How many instances can bind it. */
                    max_instances?: number;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AiGateway"];
                };
            };
        };
    };
    deleteAiGateway: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    listBoundInstances: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
            };
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: {
                            /**
                             * Format: uuid
                             * @description ID of the object.
                             */
                            id: string;
                            /**
                             * @description Current status.
                             * @enum {string}
                             */
                            status: "provisioning" | "running" | "frozen" | "stopped" | "error";
                            /** @description The client that it belongs to. */
                            client: {
                                /**
                                 * Format: uuid
                                 * @description ID of the object.
                                 */
                                id: string;
                                /** @description Name in hosts and URLs: lower-case letters, digits and hyphens. */
                                slug: string;
                                /** @description Display name. */
                                name: string;
                            };
                            /**
                             * @description Who can change the object: a stack file in Git, or the dashboard and this API.
                             * @enum {string}
                             */
                            managed_by: "git" | "dashboard";
                            /** @description Stack file in Git that declares the object; null for an object of the dashboard, or if the file is unknown. */
                            declared_in: string | null;
                        }[];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    listImages: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["Image"][];
                    };
                };
            };
        };
    };
    addImage: {
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the image with its digest. */
                    reference: string;
                    /**
                     * @description Name of the gateway, such as `openclaw`.
                     * @default openclaw
                     */
                    gateway?: string;
                    /** @description Version as the image reports it. A tenant whose image reports another version does not run it. */
                    gateway_version: string;
                    /**
                     * @description Note for people.
                     * @default
                     */
                    note?: string;
                    /**
                     * @description Release notes for users of tenants, as plain text; null if unknown.
                     * @default
                     */
                    release_notes?: string;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
        };
    };
    updateImage: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Note for people. */
                    note?: string;
                    /** @description Release notes for users of tenants, as plain text; null if unknown. */
                    release_notes?: string;
                    /** @description Whether the version is withdrawn, so that no tenant can be changed to it. Default: unchanged. */
                    withdrawn?: boolean;
                    /** @description Whether new tenants get this image. With `false` they get the platform's image. Default: unchanged. */
                    default?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
        };
    };
    listWorkerBundles: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["Worker"][];
                        /** @description Tenants that run a Worker outside the catalogue, or have not reported theirs, by stack file and Worker. */
                        others: {
                            /** @description Stack file in Git that declares the object; null for an object of the dashboard, or if the file is unknown. */
                            declared_in: string | null;
                            /** @description SHA-256 of the Worker's modules, in hexadecimal. */
                            content_hash: string | null;
                            /** @description Number of tenants. */
                            tenants: number;
                        }[];
                    };
                };
            };
        };
    };
    updateWorkerBundle: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whether the version is withdrawn, so that no tenant can be changed to it. Default: unchanged. */
                    withdrawn?: boolean;
                    /** @description Whether new tenants get this Worker. With `false` they get the automation service's own. Default: unchanged. */
                    default?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Worker"];
                };
            };
        };
    };
    listRollouts: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["Rollout"][];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    createRollout: {
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Image that the tenants get; null or omitted for a rollout of a Worker alone.
                     */
                    image_id?: string;
                    /**
                     * Format: uuid
                     * @description Worker that the tenants get; null or omitted for a rollout of an image alone.
                     */
                    worker_bundle_id?: string;
                    /**
                     * @description Percent of the tenants that have the version after each wave. Canaries come first, as wave 0.
                     * @default [
                     *       10,
                     *       50,
                     *       100
                     *     ]
                     */
                    waves?: number[];
                    /**
                     * @description Minutes for which a wave has to stay healthy before the next one starts.
                     * @default 30
                     */
                    soak_minutes?: number;
                    /**
                     * @description Hours between the notice to a tenant's administrators and the interruption.
                     * @default 24
                     */
                    notice_hours?: number;
                    /**
                     * @description Whether the rollout ignores notices and maintenance windows.
                     * @default false
                     */
                    urgent?: boolean;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description ID of the object.
                         */
                        id: string;
                        /** @description Image that the tenants get; null or omitted for a rollout of a Worker alone. */
                        image_id: string | null;
                        /** @description Worker that the tenants get; null or omitted for a rollout of an image alone. */
                        worker_bundle_id: string | null;
                        /** @description Percent of the tenants that have the version after each wave. Canaries come first, as wave 0. */
                        waves: number[];
                        /** @description Minutes for which a wave has to stay healthy before the next one starts. */
                        soak_minutes: number;
                        /** @description Hours between the notice to a tenant's administrators and the interruption. */
                        notice_hours: number;
                        /** @description Whether the rollout ignores notices and maintenance windows. */
                        urgent: boolean;
                        /**
                         * @description Current status.
                         * @enum {string}
                         */
                        status: "running" | "paused" | "rolling_back" | "succeeded" | "failed" | "stopped" | "rolled_back";
                        /** @description The current wave. */
                        wave: number;
                        /** @description Why it failed or ended; null without a failure. */
                        cause: string | null;
                        /** @description E-mail address of the user who requested it, or `service`. */
                        requested_by: string;
                        /** @description Number of tenants by status. */
                        tenants: {
                            [key: string]: number;
                        };
                        /**
                         * Format: date-time
                         * @description When the object was created.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When the object was last changed.
                         */
                        updated_at: string;
                        /** @description When it ended; null before. */
                        ended_at: string | null;
                        /** @description Increases with each change; the `ETag` of the object. */
                        version: number;
                        /** @description How many tenants the rollout skips, and why. */
                        passed_by: {
                            /** @description Declared in Git, which sets their version. */
                            git: number;
                            /** @description Pinned to their version. */
                            pinned: number;
                            /** @description Being provisioned, being removed, or in error. */
                            not_running: number;
                        };
                    };
                };
            };
        };
    };
    getRollout: {
        parameters: {
            query?: {
                /** @description Only tenants with this status. */
                status?: "waiting" | "announced" | "changing" | "done" | "failed" | "going_back" | "gone_back" | "stuck" | "skipped";
            };
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description ID of the object.
                         */
                        id: string;
                        /** @description Image that the tenants get; null or omitted for a rollout of a Worker alone. */
                        image_id: string | null;
                        /** @description Worker that the tenants get; null or omitted for a rollout of an image alone. */
                        worker_bundle_id: string | null;
                        /** @description Percent of the tenants that have the version after each wave. Canaries come first, as wave 0. */
                        waves: number[];
                        /** @description Minutes for which a wave has to stay healthy before the next one starts. */
                        soak_minutes: number;
                        /** @description Hours between the notice to a tenant's administrators and the interruption. */
                        notice_hours: number;
                        /** @description Whether the rollout ignores notices and maintenance windows. */
                        urgent: boolean;
                        /**
                         * @description Only tenants with this status.
                         * @enum {string}
                         */
                        status: "running" | "paused" | "rolling_back" | "succeeded" | "failed" | "stopped" | "rolled_back";
                        /** @description The current wave. */
                        wave: number;
                        /** @description Why it failed or ended; null without a failure. */
                        cause: string | null;
                        /** @description E-mail address of the user who requested it, or `service`. */
                        requested_by: string;
                        /** @description Number of tenants by status. */
                        tenants: {
                            [key: string]: number;
                        };
                        /**
                         * Format: date-time
                         * @description When the object was created.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When the object was last changed.
                         */
                        updated_at: string;
                        /** @description When it ended; null before. */
                        ended_at: string | null;
                        /** @description Increases with each change; the `ETag` of the object. */
                        version: number;
                        /** @description Counts of all tenants of each wave. Empty waves are omitted. */
                        by_wave: {
                            /** @description Number of the wave; the canaries are wave 0. */
                            wave: number;
                            /** @description Number of tenants. */
                            tenants: {
                                [key: string]: number;
                            };
                        }[];
                        /** @description The first 500 tenants, by wave. */
                        members: components["schemas"]["RolloutTenant"][];
                    };
                };
            };
        };
    };
    pauseRollout: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    resumeRollout: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    stopRollout: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    rollBackRollout: {
        parameters: {
            path: {
                /** @description ID of the object. */
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rollout"];
                };
            };
        };
    };
    getCapacity: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: {
                            /**
                             * @description Kind of the limited resource.
                             * @enum {string}
                             */
                            kind: "accessApplications" | "accessGroups" | "accessPolicies" | "apiTokens" | "aiGateways" | "containerMemoryMiB" | "containerVcpu";
                            /** @description How many are in use. */
                            used: number;
                            /** @description Limit of the account. */
                            most: number;
                            /** @description Whether at least 80 % are in use. */
                            scarce: boolean;
                            /**
                             * Format: date-time
                             * @description When they were counted.
                             */
                            counted_at: string;
                        }[];
                        /** @description How many more tenants with a pooled AI gateway fit; null before the first count. */
                        tenants_left: number | null;
                    };
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description `pagination.next` of the previous page. Default: the first page. */
                after?: string;
                /** @description Only changes of this table. */
                entity?: string;
                /** @description Only changes of this row. */
                entity_id?: string;
                /** @description Only changes that belong to this client. */
                client_id?: string;
                /** @description Only changes by this actor. */
                actor?: string;
                /** @description Earliest time, included. Default: no limit. */
                from?: string;
                /** @description Latest time, excluded. Default: no limit. */
                to?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        /** @description The entries. */
                        data: components["schemas"]["AuditEntry"][];
                        /** @description Position in the list. */
                        pagination: {
                            /** @description Cursor of the next page, to send as `after`; null on the last page. */
                            next: string | null;
                            /** @description Number of all entries. Omitted where counting is not cheap. */
                            total?: number;
                        };
                    };
                };
            };
        };
    };
    exportAudit: {
        parameters: {
            query?: {
                /** @description Only changes of this table. */
                entity?: string;
                /** @description Only changes of this row. */
                entity_id?: string;
                /** @description Only changes that belong to this client. */
                client_id?: string;
                /** @description Only changes by this actor. */
                actor?: string;
                /** @description Earliest time, included. Default: no limit. */
                from?: string;
                /** @description Latest time, excluded. Default: no limit. */
                to?: string;
                /** @description ID of the last entry received. Default: from the newest entry. */
                after?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": string;
                };
            };
        };
    };
    getOpenApi: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getReference: {
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
}
