// The configuration of the kit: server, user and options.

import type { Messages } from '../messages/en.ts'
import type { Notif } from '../protocol/index.ts'
import type { Identity } from '../store/transport.ts'
import type { NotifStore } from '../store/types.ts'

/** The user of the page. */
export interface User extends Identity {
  readonly id: string
}

export interface KitConfig {
  readonly clientId?: string | undefined
  readonly userId?: string | undefined
  /** Instead of `userId`, with contact details that are stored for the user. */
  readonly user?: User | undefined
  /** base64(HMAC-SHA256(client secret, user id)), computed by your back end. */
  readonly userHash?: string | undefined
  /** Called whenever a hash is needed, instead of `userHash`. */
  readonly auth?: (() => Promise<string>) | undefined
  /** Address of the server. Default: that of the script tag without its last part; in a package the origin of the script. */
  readonly apiUrl?: string | undefined
  /** Address of its socket: ws(s) for plain JSON, http(s) for Socket.IO. Default: `apiUrl`. */
  readonly wsUrl?: string | undefined
  /** BCP 47 tag. Default: the language of the page. */
  readonly lang?: string | undefined
  /** Texts that replace those of the elements. One that throws or has another type is not used. */
  readonly messages?: Partial<Messages> | undefined
  /** An existing store, instead of everything above. */
  readonly store?: NotifStore | undefined
  /** Address of the service worker, on the origin of the page. Default: `/notif-service-worker.js`. */
  readonly customServiceWorkerPath?: string | undefined
  /** Whether users are asked about web push: `auto` (default, once), or `off` or false. */
  readonly webPushOptInMessage?: 'auto' | 'off' | boolean | undefined
  /** Whether the icon of an installed app shows the number of new notifications: `auto` (default), or `off` or false. */
  readonly appBadge?: 'auto' | 'off' | boolean | undefined
  /** Shows the number of new notifications in the title of the page: "(3) Page". */
  readonly titleCount?: boolean | undefined
  readonly playSoundOnNewNotification?: boolean | undefined
  /** Address of a sound. Default: two short tones. */
  readonly newNotificationSoundPath?: string | undefined
  readonly onNewNotifications?: ((notifications: readonly Notif[]) => void) | undefined
}

/** What shows the number outside of the elements. */
export type OutsideCountConfig = Pick<KitConfig, 'appBadge' | 'titleCount'>

/** Identifies the user; another value means that the user signed out or in. */
export const toUserKey = ({ apiUrl, clientId, user, userId }: KitConfig): string =>
  [apiUrl, clientId, userId || user?.id].join()

/** Whether a store can be created. */
export const isComplete = ({ clientId, user, userId }: KitConfig): boolean =>
  Boolean(clientId && (userId || user?.id))
