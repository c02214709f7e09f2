// Workers of one database are to be set alike: which of them takes a message in hand, and what becomes of it there, is chance.

import { sendsWebPush, settingName, type Config } from '../../config/config.ts'
import { EMAIL } from '../../config/email.ts'
import { PHONE, phoneProviderOf } from '../../config/phone.ts'
import { PUSH } from '../../config/push.ts'
import type { Db } from '../../db/db.ts'
import { withoutTrailingSlash } from '../../http/path-prefix.ts'
import type { Encryption } from './encryption.ts'
import { readOne, replace } from './instance.sql.ts'

/** What a message becomes, and how long it is kept. */
const ALIKE = [
  'publicUrl',
  ...(Object.keys({ ...EMAIL, ...PHONE, ...PUSH }) as (keyof Config)[]),
  'slackUrl',
  'locale',
  'timezone',
  'retentionDays'
] as const satisfies readonly (keyof Config)[]

/** Workers may be of different sizes. */
const SIZE = /(?:Bytes|Concurrency|Connections)$/

/** What a setting comes to, however it is written and whatever else decides it. */
const COMES_TO: Partial<Record<keyof Config, (config: Config) => unknown>> = {
  publicUrl: ({ publicUrl }) => publicUrl && withoutTrailingSlash(publicUrl),
  smsProvider: phoneProviderOf,
  webPush: sendsWebPush
}

const PLACE = 'settings'

/** Kept in the database: enough of a signature to tell two values apart, because some are secrets. */
const BYTES = 8

/**
 * Keeps how this worker is set.
 *
 * @returns names of the settings in which it is not set as the one that started before it
 */
export async function differingWorkerSettings(
  db: Db,
  encryption: Encryption,
  config: Config
): Promise<string[]> {
  const settings = ALIKE.filter(key => !SIZE.test(key)).map(key => {
    const env = settingName(key)
    const value = COMES_TO[key] ? COMES_TO[key](config) : config[key]
    return { env, text: `${env}=${JSON.stringify(value) ?? ''}` }
  })
  const before = await readOne<Readonly<Record<string, string>>>(db, PLACE)
  const marks = settings.map(({ env, text }) => [
    env,
    encryption.sign(text, PLACE).subarray(0, BYTES).toString('base64')
  ])
  await replace(db, PLACE, Object.fromEntries(marks))
  // A setting that the version before did not have cannot differ.
  return settings
    .filter(({ env, text }) => {
      const mark = before?.[env]
      return mark !== undefined && !encryption.signed(text, PLACE, Buffer.from(mark, 'base64'))
    })
    .map(({ env }) => env)
}
