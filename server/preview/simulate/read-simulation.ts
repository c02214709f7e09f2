// Reads everything that decides about a simulated send, from the request and from the database. Writes nothing.

import type { Environment } from '../../config/environment-settings.ts'
import { bucketOf } from '../../core/id.ts'
import { invalidFields, parseInput, pointerBelow, withPointers } from '../../http/parse-input.ts'
import type { Context } from '../../process/context.ts'
import { parseSend } from '../../send/parse-send.ts'
import { hasInlineContent, unknownTypeProblem } from '../../send/plan/send-type.ts'
import { inlineChannels, type Send } from '../../send/send-request.ts'
import { emptyType, isAdHoc, type NotificationType } from '../../types/type.ts'
import type { Device } from '../../users/device.ts'
import { readDevices } from '../../users/devices.sql.ts'
import type { Preference } from '../../users/preferences/preference.ts'
import { parsePreferences } from '../../users/preferences/schema.ts'
import { readContacts, type Contact } from '../../users/users.sql.ts'
import { simulateBody } from './schema.ts'

export interface Simulation {
  readonly bucket: number
  readonly send: Send
  readonly warnings: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
  readonly environment: Environment
  readonly type: NotificationType
  readonly contact: Contact
  readonly devices: readonly Device[]
  readonly render: boolean
}

export async function readSimulation(
  context: Context,
  environment: Environment,
  body: unknown,
  clock: number
): Promise<Simulation> {
  const given = parseInput(simulateBody, body)
  if (given.send === undefined)
    throw invalidFields([{ detail: 'This field is required.', pointer: '#/send' }])
  const { now = clock, render, user = {} } = given
  const { send, warnings } = withPointersBelow('send', () =>
    parseSend(given.send, now, (channel, content) => context.renderer.check(channel, content))
  )
  const givenPreferences = given.preferences ?? undefined
  const preferences =
    givenPreferences === undefined
      ? undefined
      : withPointersBelow('preferences', () => parsePreferences(givenPreferences))
  const bucket = bucketOf(environment.id, send.to.id)
  const { sql } = context.db.of(bucket)
  const key = { bucket, envId: environment.id, userId: send.to.id }
  const topic = { notificationId: send.type, subNotificationId: '' }
  const [type, [stored], [devices = []]] = await Promise.all([
    resolveTypeReadOnly(context, environment.id, send, warnings),
    readContacts(sql, [{ ...key, ...topic }]),
    readDevices(sql, [key])
  ])
  const { email, number, timezone, ...rest } = stored!
  const details = Object.entries({ email, number, timezone, ...user }).filter(([, value]) => value != null)
  return {
    bucket,
    contact: {
      ...rest,
      ...Object.fromEntries(details),
      ...(preferences && { preferences: preferences.choices.filter(isSet) })
    },
    devices,
    environment,
    now,
    render,
    send,
    type,
    warnings: [...warnings, ...(preferences?.messages ?? [])]
  }
}

const isSet = (choice: { readonly delivery: Preference['delivery'] | null }): choice is Preference =>
  choice.delivery !== null

/** Puts the pointers of a Problem below the name of the part. */
const withPointersBelow = <T>(name: string, read: () => T): T =>
  withPointers(pointer => pointerBelow(`#/${name}`, pointer), read)

/** Returns the type that a send would find or create, without creating it. @throws Problem */
async function resolveTypeReadOnly(
  { types }: Pick<Context, 'types'>,
  envId: string,
  send: Send,
  warnings: readonly string[]
): Promise<NotificationType> {
  const type = await types.get(envId, send.type)
  if (!type && !hasInlineContent(send)) {
    withPointersBelow('send', () => {
      throw unknownTypeProblem(send, warnings)
    })
  }
  if (type && !isAdHoc(type)) return type
  const channels = [...new Set([...(type?.channels ?? []), ...inlineChannels(send)])]
  return { ...(type ?? emptyType(send.type, { adHoc: true })), channels }
}
