// A notification type and its templates: what may be sent where, and what it says.

import { z } from 'zod'

import { CHANNELS, DELIVERIES, type Channel } from '#protocol'

import type { Checker } from './partials/check-partials.ts'
import type { TemplateContent } from './templates/content.ts'

const deliveryOption = z.looseObject({ enabled: z.boolean().default(true) })

/** Of a stretch of time. */
export const UNITS = ['seconds', 'minutes', 'hours', 'days', 'months', 'years'] as const

/** At most `max` sends of the type to a user in a sliding stretch of time, or ever (spec/wire.md 7.3). */
const throttling = z.object({
  max: z.int(),
  period: z.int().optional(),
  unit: z.enum(UNITS).optional(),
  forever: z.boolean().optional(),
  scope: z.array(z.enum(['userId', 'notificationId'])).optional()
})

export const typeSettings = z.object({
  enabled: z.boolean().default(true),
  /** Made by a send that brought its own content: until it has templates, each such send names its channels. */
  adHoc: z.boolean().optional(),
  /** Days after which an in-app notification disappears, where the send names no expiry. */
  retention: z.number().positive().max(3650).optional(),
  throttling: throttling.optional(),
  /** The same content on the same channels goes to a user once in `duration` seconds. */
  deduplication: z.object({ duration: z.int() }).optional(),
  /** Per channel: the default delivery and which ones a user may choose (spec/wire.md 7.3). */
  options: z
    .partialRecord(
      z.enum(CHANNELS),
      z.object({ defaultDeliveryOption: z.enum(DELIVERIES).default('instant') }).catchall(deliveryOption)
    )
    .default({})
})

export type TypeSettings = z.output<typeof typeSettings>

export interface NotificationType {
  readonly id: string
  readonly title: string
  /** Titles of its sub-notifications, by id. */
  readonly subs: ReadonlyMap<string, string>
  /** Where it goes; where none are named, every channel that has a template. */
  readonly channels: readonly Channel[]
  readonly settings: TypeSettings
  /** By channel, then by the name of a template: `''` is the default one, `@de` its German form (see variant.ts). */
  readonly templates: ReadonlyMap<Channel, ReadonlyMap<string, TemplateContent>>
}

/** Nobody has designed it: it says nothing that a send with content of its own does not say better. */
export const isAdHoc = ({ settings, templates }: NotificationType): boolean =>
  settings.adHoc === true && templates.size === 0

/** Cached per environment; another node's change arrives within seconds. */
export interface Types {
  get(envId: string, id: string): Promise<NotificationType | undefined>
  /** Creates a type on the fly for a send that brings its own content, or adds channels to one that was made so. */
  ensure(envId: string, id: string, channels: readonly Channel[]): Promise<NotificationType>
  forget(envId: string): void
}

/** What is known of a type beside its templates. `channels` as they were named: perhaps none. */
export type TypeHead = Pick<NotificationType, 'id' | 'title' | 'channels' | 'settings'> & {
  readonly updatedAt: Date
}

export interface NewTemplate {
  readonly channel: Channel
  /** `''`: the default one. */
  readonly id: string
  readonly content: TemplateContent
}

export interface NewType extends Pick<NotificationType, 'id' | 'title' | 'channels' | 'settings'> {
  /** All of them; absent: those that are there stay. */
  readonly templates?: readonly NewTemplate[]
}

/** Types as their routes and files change them. */
export interface TypeStore extends Types {
  /** Knows the layouts and partials of an environment as they are now. */
  checker(envId: string, renderer: Checker): Promise<Checker>
  /** With the layouts and partials that they name. */
  whole(envId: string, templates: NotificationType['templates']): Promise<NotificationType['templates']>
  list(envId: string): Promise<TypeHead[]>
  /** Read now, not from the cache. */
  read(
    envId: string,
    id: string
  ): Promise<(TypeHead & Pick<NotificationType, 'subs' | 'templates'>) | undefined>
  /** Creates or replaces all of them or none. @returns ids of those that were not there before */
  put(envId: string, types: readonly NewType[]): Promise<ReadonlySet<string>>
  /** What was sent stays. @returns whether there was one */
  delete(envId: string, id: string): Promise<boolean>
  /** @returns undefined where there is no such type */
  putTemplate(
    envId: string,
    typeId: string,
    template: NewTemplate
  ): Promise<'created' | 'replaced' | undefined>
  /** @returns whether there was one */
  deleteTemplate(
    envId: string,
    typeId: string,
    template: Pick<NewTemplate, 'channel' | 'id'>
  ): Promise<boolean>
}
