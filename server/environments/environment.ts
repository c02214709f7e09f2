// An environment: one client id with its secret, its settings, and everything sent under it.

import { z } from 'zod'

import { CHANNELS, DELIVERIES } from '#protocol'

export const environmentSettings = z.object({
  /** Front-end calls need the user hash. */
  secureMode: z.boolean().default(true),
  /** Origins whose pages may call and connect; `*` is any. */
  origins: z.array(z.string()).default(['*']),
  logo: z.string().default(''),
  /** Channels switched off for the whole environment. */
  disabledChannels: z.array(z.enum(CHANNELS)).default([]),
  /** Delivery per channel where neither user nor type says anything. */
  defaults: z.partialRecord(z.enum(CHANNELS), z.enum(DELIVERIES)).default({}),
  /** How long the log is kept, in days. Absent: as long as the server's setting says. */
  retentionDays: z.int().min(1).max(3650).optional()
})

export type EnvironmentSettings = z.output<typeof environmentSettings>

export interface Environment {
  /** The client id. */
  readonly id: string
  /** Also the key of the user hashes, so it must be readable here. Never in a log, never in an answer. */
  readonly secret: string
  readonly settings: EnvironmentSettings
}

/** Cached; another node's change arrives within seconds. */
export interface Environments {
  get(id: string): Promise<Environment | undefined>
  /** Creates or replaces one, everywhere. */
  put(environment: Environment): Promise<void>
  forget(id: string): void
}
