// The link to a user's own preferences, without a login: whoever has it may see and change these, and nothing else.

import { z } from 'zod'

import type { Config } from '../../config/config.ts'
import type { Seal } from '../../environments/encryption/encryption.ts'
import { addressOf, tokens } from './link-token.ts'

const holder = z.strictObject({ envId: z.string(), userId: z.string() })

export type Holder = z.output<typeof holder>

export const { make: tokenOfHolder, read: holderOf } = tokens('preferences link', holder)

/** @returns undefined where nobody could reach it */
export const preferencesLinkOf =
  (seal: Seal, config: Pick<Config, 'publicUrl'>) =>
  ({ envId, userId }: Holder): string | undefined =>
    addressOf(config, 'preferences', tokenOfHolder(seal, { envId, userId }))

export type PreferencesLinkOf = ReturnType<typeof preferencesLinkOf>
