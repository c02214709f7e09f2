// What a notification may show beside its texts: buttons, a reply field, progress, people, and how its picture looks.

/** Icons that the elements have; an item names one of them. */
export const ICONS = [
  'alert',
  'archive',
  'at',
  'bell',
  'bolt',
  'calendar',
  'check',
  'clock',
  'download',
  'file',
  'globe',
  'lock',
  'mail',
  'ok',
  'receipt',
  'reply',
  'send',
  'settings',
  'ship',
  'stack'
] as const
export type IconName = (typeof ICONS)[number]

/** A color of an icon, or of the letter that stands for a picture. */
export const TONES = [1, 2, 3, 4, 5, 6] as const
export type Tone = (typeof TONES)[number]

export const IMAGE_SHAPES = ['round', 'square'] as const
export type ImageShape = (typeof IMAGE_SHAPES)[number]

/** A button. With `url` it is a link; with `send` the server sends a webhook to the back end; else the page gets an event. */
export interface ItemAction {
  /** Unique in its item. */
  readonly id: string
  readonly label: string
  readonly style?: 'primary' | 'danger'
  /** http(s), mailto, or a path of the same site. */
  readonly url?: string
  readonly send?: true
}

/** What became of the pressed button. */
export interface ItemOutcome {
  readonly actionId: string
  readonly state: 'pending' | 'done' | 'failed'
  /** Instant as ISO 8601. */
  readonly at: string
  /** Replaces the words of the elements, such as “You approved this”. */
  readonly text?: string
  /** Name of the person who acted, if it is not this user. */
  readonly by?: string
}

export interface ItemProgress {
  /** 0 to 1; absent: unknown. */
  readonly value?: number
  readonly text?: string
  readonly state: 'running' | 'done' | 'failed'
}

export interface ItemActor {
  readonly name: string
  /** http(s) address, or a path of the same site. */
  readonly imageURL?: string
}

/** All are optional; most notifications have none. */
export interface ItemExtras {
  /** At most {@link MAX_ACTIONS}; the first one is the main button. */
  readonly actions?: readonly ItemAction[]
  readonly outcome?: ItemOutcome
  /** The user may reply in the row. `max`: characters of a reply. */
  readonly reply?: { readonly label?: string; readonly max?: number }
  readonly progress?: ItemProgress
  /** At most {@link MAX_ACTORS}. */
  readonly actors?: readonly ItemActor[]
  /** Number of people with those that are not in `actors`. */
  readonly actorCount?: number
  readonly imageShape?: ImageShape
  readonly icon?: IconName
  readonly tone?: Tone
}

export const MAX_ACTIONS = 2
export const MAX_ACTORS = 4
/** Characters of a reply, in UTF-16 code units. */
export const MAX_REPLY_CHARACTERS = 10_000
