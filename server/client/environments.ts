// Environments, for operators: a client of its own, because it has another secret.

import { openAsk, type CallOptions, type Patience } from './call.ts'
import type { Channel, Delivery, Instant, PageOptions } from './names.ts'
import { baseOf, openLine } from './options.ts'

export interface AdminSettings extends Patience {
  /** NOTIF_ADMIN_TOKEN of the server. */
  readonly adminToken: string
  /** Address of the server, with or without a path. */
  readonly baseURL: string
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch
}

export interface EnvironmentSettings {
  readonly title: string
  /** Front-end calls need the user hash. */
  readonly secureMode: boolean
  /** Origins whose pages may call; `*`: all. */
  readonly origins: readonly string[]
  /** Address of a picture. */
  readonly logo: string
  readonly disabledChannels: readonly Channel[]
  /** Delivery by channel where neither user nor type says one. */
  readonly defaults: Readonly<Partial<Record<Channel, Delivery>>>
  /** Zone of users who have none. */
  readonly defaultTimezone?: string
  /** How long logs are kept. Default: as long as the server does. */
  readonly retentionDays?: number
  readonly limits: { readonly requestsPerSecond?: number; readonly sendsPerSecond?: number }
  /** Also the plain hash of one SDK counts, which is weaker. */
  readonly legacyUserHash: boolean
}

/** Absent stays, `null` is the default. */
export type EnvironmentChange = { readonly [K in keyof EnvironmentSettings]?: EnvironmentSettings[K] | null }

export interface Environment extends EnvironmentSettings {
  readonly clientId: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** The secret before counts until then. */
  readonly previousSecretUntil?: Instant
}

export interface EnvironmentPage {
  /** By client id. */
  readonly environments: readonly Environment[]
  readonly next?: string
}

/** Made where they are not given. */
export interface EnvironmentKeys {
  readonly clientId?: string
  /** 16 to 255 visible ASCII characters. */
  readonly clientSecret?: string
}

export interface NewSecret {
  readonly clientId: string
  readonly clientSecret: string
  readonly previousSecretUntil?: Instant
}

/** A client for operators. @throws TypeError when the address cannot be one */
export function createAdminClient(settings: AdminSettings) {
  const ask = openAsk(openLine(`Bearer ${settings.adminToken}`, baseOf(settings.baseURL), settings))
  const one = (clientId: string): readonly string[] => ['environments', clientId]
  return {
    listEnvironments: (page: PageOptions = {}, options?: CallOptions): Promise<EnvironmentPage> =>
      ask({ method: 'GET', path: ['environments'], query: { ...page } }, options),

    /** The secret is in this answer alone. */
    createEnvironment: (
      environment: EnvironmentChange & EnvironmentKeys = {},
      options?: CallOptions
    ): Promise<Environment & { readonly clientSecret: string }> =>
      ask({ body: environment, method: 'POST', path: ['environments'] }, options),

    getEnvironment: (clientId: string, options?: CallOptions): Promise<Environment> =>
      ask({ method: 'GET', path: one(clientId) }, options),

    updateEnvironment: (
      clientId: string,
      change: EnvironmentChange,
      options?: CallOptions
    ): Promise<Environment> => ask({ body: change, method: 'PATCH', path: one(clientId) }, options),

    /** With everything in it, for ever. */
    deleteEnvironment: async (clientId: string, options?: CallOptions): Promise<void> => {
      await ask({ method: 'DELETE', path: one(clientId) }, options)
    },

    /** @param graceSeconds - how long the secret before counts, too; default a day, 0: not at all */
    rotateSecret: (clientId: string, graceSeconds?: number, options?: CallOptions): Promise<NewSecret> =>
      ask({ body: { graceSeconds }, method: 'POST', path: ['environments', clientId, 'secret'] }, options)
  }
}

export type NotifAdminClient = ReturnType<typeof createAdminClient>
