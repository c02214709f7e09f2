// The worker settings check: compares settings with those of the worker that started before on the same database.
//
// Any worker may deliver any message, so workers with different settings deliver messages differently at random.

import { sendsWebPush, settingName, type Config } from '../../config/config.ts'
import { EMAIL } from '../../config/email.ts'
import { PHONE, chooseSmsProvider } from '../../config/phone.ts'
import { PUSH } from '../../config/push.ts'
import type { Db } from '../../db/db.ts'
import { withoutTrailingSlash } from '../../http/path-prefix.ts'
import type { Encryption } from './encryption.ts'
import { readValue, storeValue } from './installation.sql.ts'

/** Settings that decide how a message is delivered, and how long it is stored. */
const COMPARED = [
  'publicUrl',
  ...(Object.keys({ ...EMAIL, ...PHONE, ...PUSH }) as (keyof Config)[]),
  'slackUrl',
  'locale',
  'timezone',
  'retentionDays'
] as const satisfies readonly (keyof Config)[]

/** Settings of capacity, in which workers may differ. */
const CAPACITY = /(?:Bytes|Concurrency|Connections)$/

/** The effective value of settings that have defaults or several notations. */
const EFFECTIVE: Partial<Record<keyof Config, (config: Config) => unknown>> = {
  publicUrl: ({ publicUrl }) => publicUrl && withoutTrailingSlash(publicUrl),
  smsProvider: chooseSmsProvider,
  webPush: sendsWebPush
}

/** Key of the stored signatures, and purpose of the signature. */
const PURPOSE = 'settings'

/** The database holds signatures instead of values, because some are secrets. Eight bytes tell two values apart. */
const SIGNATURE_BYTES = 8

/**
 * Stores the settings of this worker.
 *
 * @returns the names of settings that differ from those of the worker that started before
 */
export async function differingWorkerSettings(
  db: Db,
  encryption: Encryption,
  config: Config
): Promise<string[]> {
  const settings = COMPARED.filter(key => !CAPACITY.test(key)).map(key => {
    const env = settingName(key)
    const value = EFFECTIVE[key] ? EFFECTIVE[key](config) : config[key]
    return { env, text: `${env}=${JSON.stringify(value) ?? ''}` }
  })
  const previous = await readValue<Readonly<Record<string, string>>>(db, PURPOSE)
  const signatures = settings.map(({ env, text }) => [
    env,
    encryption.sign(text, PURPOSE).subarray(0, SIGNATURE_BYTES).toString('base64')
  ])
  await storeValue(db, PURPOSE, Object.fromEntries(signatures))
  // A setting that the previous version did not have cannot differ.
  return settings
    .filter(({ env, text }) => {
      const signature = previous?.[env]
      return signature !== undefined && !encryption.verify(text, PURPOSE, Buffer.from(signature, 'base64'))
    })
    .map(({ env }) => env)
}
