// Notification types and their templates.

import type { Ask, CallOptions } from './call.ts'
import type { Inline, TemplateOf } from './content.ts'
import type { Channel, Delivery, Instant } from './names.ts'

/** What a user may choose on a channel, and what holds until then. */
export type DeliveryOptions = {
  /** Default `instant`. */
  readonly defaultDeliveryOption?: Delivery
} & { readonly [delivery in Delivery]?: Readonly<Record<string, unknown>> & { readonly enabled?: boolean } }

/** At most `max` sends of the type to a user in any stretch of `period` `unit`, or ever. */
export interface Throttling {
  /** 1 to 1000. */
  readonly max: number
  readonly period?: number
  readonly unit?: 'seconds' | 'minutes' | 'hours' | 'days' | 'months' | 'years'
  /** Instead of a stretch of time. */
  readonly forever?: boolean
  /** Both, the only scope there is. */
  readonly scope?: readonly ('userId' | 'notificationId')[]
}

export interface NotificationType {
  readonly id: string
  readonly title: string
  /** Empty: every channel that has a template. */
  readonly channels: readonly Channel[]
  readonly enabled: boolean
  /** Made by a send that brought its own content. */
  readonly adHoc?: boolean
  /** Days after which an in-app notification disappears. */
  readonly retention?: number
  /** Absent: none. */
  readonly throttling?: Throttling
  /** The same content on the same channels goes to a user once in `duration` seconds. Absent: each time. */
  readonly deduplication?: { readonly duration: number }
  readonly options: Readonly<Partial<Record<Channel, DeliveryOptions>>>
  readonly updatedAt: Instant
}

/** By `EMAIL`, or by `EMAIL/german` for one that a send asks for by its id; names of a send work too (`email/german`). */
export type Templates = Readonly<Partial<TemplateOf & Inline>> & Readonly<Record<string, object>>

export interface WholeType extends NotificationType {
  readonly templates: Templates
}

/** Absent: `title` is the id, every channel with a template is used, templates stay as they are. */
export type TypeContent = Partial<Omit<WholeType, 'id' | 'updatedAt'>>

export const types = (ask: Ask) => ({
  /** All of them, without their templates. */
  listTypes: async (options?: CallOptions): Promise<readonly NotificationType[]> => {
    const { notifications } = await ask<{ readonly notifications: readonly NotificationType[] }>(
      { method: 'GET', path: ['notifications'] },
      options
    )
    return notifications
  },

  getType: (id: string, options?: CallOptions): Promise<WholeType> =>
    ask({ method: 'GET', path: ['notifications', id] }, options),

  /** Makes or replaces it. */
  putType: (id: string, content: TypeContent, options?: CallOptions): Promise<WholeType> =>
    ask({ body: content, method: 'PUT', path: ['notifications', id] }, options),

  /** What was sent stays. */
  deleteType: async (id: string, options?: CallOptions): Promise<void> => {
    await ask({ method: 'DELETE', path: ['notifications', id] }, options)
  },

  getTemplate: <C extends Channel>(
    id: string,
    channel: C,
    which?: Which,
    options?: CallOptions
  ): Promise<TemplateOf[C]> => ask({ ...template(id, channel, which), method: 'GET' }, options),

  /** Makes or replaces it. */
  putTemplate: <C extends Channel>(
    id: string,
    channel: C,
    content: TemplateOf[C],
    which?: Which,
    options?: CallOptions
  ): Promise<TemplateOf[C]> =>
    ask({ ...template(id, channel, which), body: content, method: 'PUT' }, options),

  deleteTemplate: async (
    id: string,
    channel: Channel,
    which?: Which,
    options?: CallOptions
  ): Promise<void> => {
    await ask({ ...template(id, channel, which), method: 'DELETE' }, options)
  }
})

/** Its id, or with the language (BCP 47) of its readers. Default: the default template of the channel, for everybody. */
export type Which = string | { readonly templateId?: string; readonly locale?: string }

function template(id: string, channel: Channel, which: Which = {}) {
  const { locale, templateId } = typeof which === 'string' ? { locale: undefined, templateId: which } : which
  return {
    path: ['notifications', id, 'templates', channel, ...(templateId === undefined ? [] : [templateId])],
    query: { locale }
  }
}
