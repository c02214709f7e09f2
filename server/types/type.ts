// Notification types and their templates.

import { z } from 'zod'

import { CHANNELS, DELIVERIES, type Channel } from '#protocol'

import type { Query } from '../db/db.ts'
import type { Precondition } from '../http/etag.ts'
import { escalation } from './escalation.ts'
import type { Checker } from './partials/check-partials.ts'
import type { TemplateContent } from './templates/content.ts'
import { appearance } from './templates/in-app-extras.ts'
import { readVariant } from './variant.ts'

const deliveryOption = z.looseObject({ enabled: z.boolean().default(true) })

export const PERIOD_UNITS = ['seconds', 'minutes', 'hours', 'days', 'months', 'years'] as const

/** At most `max` sends of the type to a user in a sliding period, or in all time. */
const throttling = z.object({
  max: z.int(),
  period: z.int().optional(),
  unit: z.enum(PERIOD_UNITS).optional(),
  forever: z.boolean().optional(),
  scope: z.array(z.enum(['userId', 'notificationId'])).optional()
})

export const typeSettings = z.object({
  enabled: z.boolean().default(true),
  /** Created by a send with its own content. Until the type has templates, each such send adds its channels. */
  adHoc: z.boolean().optional(),
  /** Days until an in-app notification expires, unless the send has an expiry of its own. */
  retention: z.number().positive().max(3650).optional(),
  throttling: throttling.optional(),
  /** Discards sends with the same content on the same channels to a user within `duration` seconds. */
  deduplication: z.object({ duration: z.int() }).optional(),
  /** Channels that are sent later, unless the user has dealt with the in-app notification by then. */
  escalate: z.array(escalation).optional(),
  /** Whether reading the in-app notification cancels what waits for it in other channels. Absent: true. */
  cancelOnRead: z.boolean().optional(),
  /** What users read below the title in their preferences. */
  description: z.string().optional(),
  /** Heading in the preferences above types that belong together. */
  group: z.string().optional(),
  /** Names of tabs that show the type. */
  tags: z.array(z.string()).optional(),
  /** Not held back by a pause, nor by quiet hours that let urgent types pass. */
  urgent: z.boolean().optional(),
  /** Channels that users cannot turn off. Absent: none. */
  locked: z.array(z.enum(CHANNELS)).optional(),
  /** Of the in-app notifications whose content does not say it. */
  icon: appearance.icon.optional(),
  imageShape: appearance.imageShape.optional(),
  tone: appearance.tone.optional(),
  /** By channel: the default frequency, and the frequencies that a user can choose. */
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
  /** Titles of sub-notifications by id. */
  readonly subs: ReadonlyMap<string, string>
  /** Default: every channel with a template. */
  readonly channels: readonly Channel[]
  readonly settings: TypeSettings
  /** By channel, then by template name: `''` is the default, `@de` the default in German (variant.ts). */
  readonly templates: ReadonlyMap<Channel, ReadonlyMap<string, TemplateContent>>
}

/** A type that only has its id, for one that is created by a send or was deleted. */
export const emptyType = (id: string, settings: z.input<typeof typeSettings> = {}): NotificationType => ({
  channels: [],
  id,
  settings: typeSettings.parse(settings),
  subs: new Map(),
  templates: new Map(),
  title: id
})

/** Whether the type was created by a send and has no templates yet. */
export const isAdHoc = ({ settings, templates }: NotificationType): boolean =>
  settings.adHoc === true && templates.size === 0

/** Cached by environment. A change on another node takes effect within seconds. */
export interface Types {
  get(envId: string, id: string): Promise<NotificationType | undefined>
  /** Creates a type for a send with its own content, or adds channels to a type that was created like this. */
  ensure(envId: string, id: string, channels: readonly Channel[]): Promise<NotificationType>
  forget(envId: string): void
}

/** A type without its templates. `channels` as stored, so the list may be empty. */
export type TypeHead = Pick<NotificationType, 'id' | 'title' | 'channels' | 'settings'> & {
  readonly updatedAt: Date
  /** Number of the published version. Absent for a type that a send has created. */
  readonly version?: number
  /** Present if a file of NOTIF_TYPES_DIR has the type, so that REST does not change it. */
  readonly managedBy?: typeof FILES
}

/** `content` as stored. */
export interface WrittenTemplate {
  readonly created: boolean
  readonly content: TemplateContent
}

/** A type as stored, without expanded layouts and partials. */
export type StoredType = TypeHead & Pick<NotificationType, 'subs' | 'templates'>

/** Checks a stored type before it is replaced. @throws Problem */
export type TypeCheck = (current: StoredType | undefined) => void

/** Who saves types that come from files. */
export const FILES = 'files'

/** Who saves a type or template, and why. */
export interface Author {
  /** Actor of the call, or {@link FILES}. Default: `server`. */
  readonly by?: string
  readonly note?: string | undefined
}

/** @param C - the check of the stored resource before it is replaced */
export interface Save<C> extends Author {
  readonly check?: C | undefined
}

export interface NewTemplate {
  readonly channel: Channel
  /** `''` for the default template. */
  readonly id: string
  readonly content: TemplateContent
}

export interface NewType extends Pick<NotificationType, 'id' | 'title' | 'channels' | 'settings'> {
  /** All templates of the type; absent keeps the stored ones. */
  readonly templates?: readonly NewTemplate[]
}

/** Types with the operations of routes and files. */
export interface TypeStore extends Types {
  /** @returns a checker that knows the current layouts and partials of the environment */
  checkerFor(envId: string, renderer: Checker): Promise<Checker>
  expandTemplates(
    envId: string,
    templates: NotificationType['templates']
  ): Promise<NotificationType['templates']>
  list(envId: string): Promise<TypeHead[]>
  /** Reads from the database, not from the cache. */
  read(envId: string, id: string, query?: Query): Promise<StoredType | undefined>
  /**
   * Creates or replaces all types or none, and publishes them as new versions.
   *
   * @returns ids of the created ones
   * @throws Problem if a type is managed by files and another author changes it; so do the others
   */
  put(envId: string, types: readonly NewType[], save?: Save<TypeCheck>): Promise<ReadonlySet<string>>
  /** Keeps what was sent. @returns false if the type does not exist */
  delete(envId: string, id: string, check?: TypeCheck): Promise<boolean>
  /** Marks the types as managed by files. @param isAll - other types of the environment are no longer */
  setManaged(envId: string, ids: readonly string[], isAll: boolean): Promise<void>
  /** @returns undefined if the type does not exist */
  putTemplate(
    envId: string,
    typeId: string,
    template: NewTemplate,
    save?: Save<Precondition>
  ): Promise<WrittenTemplate | undefined>
  /** @returns false if the template does not exist */
  deleteTemplate(
    envId: string,
    typeId: string,
    template: Pick<NewTemplate, 'channel' | 'id'>,
    save?: Save<Precondition>
  ): Promise<boolean>
}

const hasDefault = (byId: ReadonlyMap<string, unknown>): boolean =>
  [...byId.keys()].some(name => readVariant(name).id === '')

/** A type without channels has those of its default templates. */
export const withChannels = ({
  channels,
  id,
  settings,
  subs,
  templates,
  title
}: StoredType): NotificationType => ({
  channels:
    channels.length > 0
      ? channels
      : [...templates].filter(([, byId]) => hasDefault(byId)).map(([name]) => name),
  id,
  settings,
  subs,
  templates,
  title
})
