// Parses a change of a user's delivery settings, and applies it to the stored ones. Pure.

import { z } from 'zod'

import { CHANNELS, type Channel, type QuietHours } from '#protocol'

import { timeZone } from '../../core/contact.ts'
import { parseInput, invalidFields } from '../../http/parse-input.ts'
import type { DeliverySettings } from './delivery-settings.ts'

const time = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Expected a time from 00:00 to 23:59, such as 22:00.')
const WEEKDAY = 'Expected days from 1 (Monday) to 7 (Sunday).'

export const settingsPatch = z.strictObject({
  channels: z
    .partialRecord(z.enum(CHANNELS), z.strictObject({ on: z.boolean() }))
    .optional()
    .describe('The switch of a whole channel. The preferences of types stay as they are.'),
  pause: z
    .strictObject({
      isOn: z.boolean().describe('Whether messages wait.'),
      until: z.iso
        .datetime({ offset: true, error: 'Expected a time such as 2026-11-21T09:00:00Z.' })
        .transform(text => Date.parse(text))
        .nullish()
        .describe('Absent or null: until the user ends it.')
    })
    .optional()
    .describe('While it is on, messages of types that are not urgent wait.'),
  quiet: z
    .strictObject({
      on: z.boolean().describe('Whether messages wait in these hours.'),
      days: z
        .array(z.int(WEEKDAY).min(1, WEEKDAY).max(7, WEEKDAY))
        .min(1, WEEKDAY)
        .max(7, WEEKDAY)
        .transform(days => [...new Set(days)].toSorted((a, b) => a - b))
        .describe('Days on which they begin: 1 is Monday, 7 is Sunday.'),
      from: time.describe('When they begin, as HH:MM.'),
      to: time.describe('When they end. On the next day if it is not later than `from`.'),
      urgentPasses: z.boolean().describe('Whether urgent types do not wait.'),
      zone: timeZone.nullable().describe('IANA time zone. `null`: that of the user.')
    })
    .partial()
    .optional()
    .describe('Hours in which messages wait. An absent field stays.')
})

export type SettingsPatch = z.output<typeof settingsPatch>

/** @throws Problem naming each wrong field. @param now - milliseconds since 1970 */
export function parseSettingsPatch(body: unknown, now: number): SettingsPatch {
  const patch = parseInput(settingsPatch, body)
  const until = patch.pause?.until
  if (patch.pause?.isOn && typeof until === 'number' && until <= now) {
    throw invalidFields([{ detail: 'Expected a time in the future.', pointer: '#/pause/until' }])
  }
  return patch
}

/** @returns undefined if all settings are at their defaults */
export function applySettingsPatch(
  { channelsOff = [], pausedUntil, quiet: storedQuiet }: DeliverySettings,
  { channels = {}, pause, quiet: { zone, ...quiet } = {} }: SettingsPatch
): DeliverySettings | undefined {
  const off = CHANNELS.filter(
    (channel: Channel) => !(channels[channel]?.on ?? !channelsOff.includes(channel))
  )
  const until = pause === undefined ? pausedUntil : pause.isOn ? (pause.until ?? null) : undefined
  const { zone: storedZone, ...stored } = storedQuiet ?? {}
  const newZone = zone === undefined ? storedZone : (zone ?? undefined)
  // An absent field has no key, so that it changes nothing.
  const given = quiet as Partial<QuietHours>
  const newQuiet = { ...stored, ...given, ...(newZone !== undefined && { zone: newZone }) }
  const settings = {
    ...(off.length > 0 && { channelsOff: off }),
    ...(until !== undefined && { pausedUntil: until }),
    ...(Object.keys(newQuiet).length > 0 && { quiet: newQuiet })
  }
  return Object.keys(settings).length > 0 ? settings : undefined
}

/** @throws Problem for a channel that the user opted out of at its network, and would turn on here */
export function rejectBlocked(channels: SettingsPatch['channels'] = {}, blocked: readonly Channel[]): void {
  const faults = blocked
    .filter(channel => channels[channel]?.on)
    .map(channel => ({
      detail: 'The user has stopped this channel at its network (STOP), and can start it only there (START).',
      pointer: `#/channels/${channel}/on`
    }))
  if (faults.length > 0) throw invalidFields(faults)
}
