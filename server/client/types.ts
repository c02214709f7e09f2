// Notification types and their templates.

import type { Call, CallOptions } from './call.ts'
import type { InAppIcon, Inline, TemplateOf } from './content.ts'
import type { Channel, Delivery, Instant } from './names.ts'

/** Deliveries that a user may choose on a channel, and the one that applies until then. */
export type DeliveryOptions = {
  /** Default: `instant`. */
  readonly defaultDeliveryOption?: Delivery
} & { readonly [delivery in Delivery]?: Readonly<Record<string, unknown>> & { readonly enabled?: boolean } }

/** A user gets at most `max` sends of the type in any window of `period` `unit`s, or ever. */
export interface Throttling {
  /** 1 to 1000. */
  readonly max: number
  readonly period?: number
  readonly unit?: 'seconds' | 'minutes' | 'hours' | 'days' | 'months' | 'years'
  /** Counts without a time window. */
  readonly forever?: boolean
  /** Both values; no other scope exists. */
  readonly scope?: readonly ('userId' | 'notificationId')[]
}

/** A channel that is sent some time after the send. */
export interface Escalation {
  readonly channel: Channel
  /** A number with `s`, `m`, `h` or `d`, such as `10m`; up to 31 days. */
  readonly after: string
  /** The channel is not sent if the in-app notification is in this state by then. Default: it is sent. */
  readonly unless?: 'seen' | 'read' | 'actioned'
}

export interface NotificationType {
  readonly id: string
  readonly title: string
  /** An empty list means every channel with a template. */
  readonly channels: readonly Channel[]
  readonly enabled: boolean
  /** The type was created by a send with content of its own. */
  readonly adHoc?: boolean
  /** Days after which an in-app notification disappears. */
  readonly retention?: number
  /** Default: no throttling. */
  readonly throttling?: Throttling
  /** Sends the same content on the same channels to a user once in `duration` seconds. Default: each time. */
  readonly deduplication?: { readonly duration: number }
  /** At most 5, one for each channel. Default: every channel is sent at once. */
  readonly escalate?: readonly Escalation[]
  /** `false`: digests and delays keep a notification that was read meanwhile. Default: it leaves them. */
  readonly cancelOnRead?: boolean
  /** What users read below the title in their preferences. */
  readonly description?: string
  /** Heading in the preferences, above all types with the same one. */
  readonly group?: string
  /** Tags, by which tabs of an inbox show the type. */
  readonly tags?: readonly string[]
  /** Not held back by a pause, nor by quiet hours that let urgent types pass. Default: false. */
  readonly urgent?: boolean
  /** Channels that users cannot turn off. Default: none. */
  readonly locked?: readonly Channel[]
  /** Of in-app notifications without their own. */
  readonly icon?: InAppIcon
  readonly imageShape?: 'round' | 'square'
  readonly tone?: 1 | 2 | 3 | 4 | 5 | 6
  readonly options: Readonly<Partial<Record<Channel, DeliveryOptions>>>
  /** Number of the published version, which sends use. Absent if a send created the type. */
  readonly version?: number
  /** The type is in a file of NOTIF_TYPES_DIR, so no call changes it. */
  readonly managedBy?: 'files'
  readonly updatedAt: Instant
}

/**
 * Templates by channel: `EMAIL` is the default template, `EMAIL/german` the one with the id `german`. Names of a send work
 * as well (`email/german`).
 */
export type Templates = Readonly<Partial<TemplateOf & Inline>> & Readonly<Record<string, object>>

export interface WholeType extends NotificationType {
  readonly templates: Templates
}

/** Defaults: `title` is the id, every channel with a template is used, and templates stay unchanged. */
export type TypeContent = Partial<Omit<WholeType, 'id' | 'managedBy' | 'updatedAt' | 'version'>>

export const typeCalls = (call: Call) => ({
  /** Lists all notification types, without their templates. */
  listTypes: async (options?: CallOptions): Promise<readonly NotificationType[]> => {
    const { notifications } = await call<{ readonly notifications: readonly NotificationType[] }>(
      { method: 'GET', path: ['notifications'] },
      options
    )
    return notifications
  },

  /** Returns a notification type with its templates. @throws NotifProblem 404 if it does not exist */
  getType: (id: string, options?: CallOptions): Promise<WholeType> =>
    call({ method: 'GET', path: ['notifications', id] }, options),

  /** Creates or replaces a notification type, and publishes it. */
  putType: (id: string, content: TypeContent, options?: CallOptions): Promise<WholeType> =>
    call({ body: content, method: 'PUT', path: ['notifications', id] }, options),

  /** Deletes a notification type. Notifications that were sent stay. */
  deleteType: async (id: string, options?: CallOptions): Promise<void> => {
    await call({ method: 'DELETE', path: ['notifications', id] }, options)
  },

  /** Returns a template. @throws NotifProblem 404 if it does not exist */
  getTemplate: <C extends Channel>(
    id: string,
    channel: C,
    which?: Which,
    options?: CallOptions
  ): Promise<TemplateOf[C]> => call({ ...template(id, channel, which), method: 'GET' }, options),

  /** Creates or replaces a template. */
  putTemplate: <C extends Channel>(
    id: string,
    channel: C,
    content: TemplateOf[C],
    which?: Which,
    options?: CallOptions
  ): Promise<TemplateOf[C]> =>
    call({ ...template(id, channel, which), body: content, method: 'PUT' }, options),

  deleteTemplate: async (
    id: string,
    channel: Channel,
    which?: Which,
    options?: CallOptions
  ): Promise<void> => {
    await call({ ...template(id, channel, which), method: 'DELETE' }, options)
  }
})

/**
 * Id of a template, or id and language (BCP 47) of its variant. Default: the default template of the channel, without a
 * language.
 */
export type Which = string | { readonly templateId?: string; readonly locale?: string }

function template(id: string, channel: Channel, which: Which = {}) {
  const { locale, templateId } = typeof which === 'string' ? { locale: undefined, templateId: which } : which
  return {
    path: ['notifications', id, 'templates', channel, ...(templateId === undefined ? [] : [templateId])],
    query: { locale }
  }
}
