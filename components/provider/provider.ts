// `<notif-provider>`: gives the elements inside it the store of one user.

import { ContextProvider } from '@lit/context'
import { css, ReactiveElement, type PropertyValues } from '@lit/reactive-element'

import { isComplete, toUserKey, type KitConfig, type User } from '../core/config.ts'
import { createElement } from '../core/dom.ts'
import { loadStore } from '../core/load-store.ts'
import { watchNewNotifications } from '../core/new-notifications.ts'
import { showOutsideCount } from '../core/outside-count.ts'
import { either, object, param } from '../core/param.ts'
import { storeContext, type StoreContext } from '../core/store-context.ts'
import { validateStore } from '../core/validate.ts'
import type { Messages } from '../messages/en.ts'
import type { Notif } from '../protocol/index.ts'
import type { NotifStore } from '../store/types.ts'

/** Returns what needs another store if it changes. By value: frameworks create new objects at each render. */
const toConfigKey = (config: KitConfig): string => {
  const { apiUrl, auth, clientId, customServiceWorkerPath, user, userHash, userId, wsUrl } = config
  return JSON.stringify([apiUrl, !auth, clientId, customServiceWorkerPath, user, userHash, userId, wsUrl])
}

/**
 * Connects the elements inside it to the inbox of one user. If the user changes or is removed, the previous user is signed out: the
 * browser deletes their data, and their inboxes in other tabs end.
 *
 * @tagname notif-provider
 * @summary Configuration and store for the elements inside it.
 * @slot - Your content. The elements of notif-kit in it use this store.
 * @fires notif-new-notifications - Notifications arrived live. The event does not bubble.
 */
export class NotifProvider extends ReactiveElement implements KitConfig {
  static override styles = css`
    :host(:not([hidden])) {
      display: contents;
    }
  `

  /** Client id of the environment. */
  @param() clientId: string | undefined
  /** Id of the signed-in user. */
  @param() userId: string | undefined
  /** `{ id, email?, number?, timezone? }`, instead of `user-id`. The server stores the contact data. */
  @object() user: User | undefined
  /** base64(HMAC-SHA256(client secret, user id)), computed by your back end. */
  @param() userHash: string | undefined
  /** Called whenever a user hash is needed, instead of `user-hash`. */
  @object() auth: (() => Promise<string>) | undefined
  /** Address of the server. Default: the address of the script tag without its last part; in the package, the origin of the script. */
  @param() apiUrl: string | undefined
  /** Address of the socket: ws(s) for plain JSON, http(s) for Socket.IO. Default: `api-url`. */
  @param() wsUrl: string | undefined
  /** Plays a sound when notifications arrive live. */
  @param(Boolean) playSoundOnNewNotification = false
  /** Address of that sound. Default: two short tones. */
  @param() newNotificationSoundPath: string | undefined
  /** Address of the service worker for web push. */
  @param() customServiceWorkerPath = '/notif-service-worker.js'
  /** Whether users are asked about web push: `auto` (once), or `off` or false. */
  @either() webPushOptInMessage: 'auto' | 'off' | boolean = 'auto'
  /** Whether the icon of an installed app shows the number of new notifications: `auto`, or `off` or false. */
  @either() appBadge: 'auto' | 'off' | boolean = 'auto'
  /** Shows the number of new notifications in the title of the page: "(3) Page". */
  @param(Boolean) titleCount = false
  /** Texts that replace those of the elements. */
  @object() messages: Partial<Messages> | undefined
  /** An existing store. The element does not destroy it. */
  @object() store: NotifStore | undefined
  /** Called with notifications that arrive live. */
  @object() onNewNotifications: ((notifications: readonly Notif[]) => void) | undefined

  readonly #provider = new ContextProvider(this, { context: storeContext })
  /** The store, or a function that loads its code again. */
  #ready: Pick<StoreContext, 'retryLoad' | 'store'> = {}
  #release = (): void => {}
  #hideCount = (): void => {}
  #configKey = ''
  /** Counts starts, so that a store that is loaded too late is not used. */
  #startCount = 0

  // `lang` is a property of every element; only its changes are observed here.
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang']
  }

  override attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    super.attributeChangedCallback(name, before, after)
    if (name === 'lang') this.#publish(this.#ready)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    if (this.hasUpdated && !this.#ready.store) void this.#start()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    // An element that is moved is disconnected for a moment, and keeps its store.
    queueMicrotask(() => {
      if (!this.isConnected) this.#stop()
    })
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot()
    root.append(createElement('slot', {}))
    return root
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const configKey = toConfigKey(this)
    // Another function may return a hash that the server accepts.
    const isRefused = changed.has('auth') && this.#ready.store?.$connection.value?.state === 'refused'
    if (changed.has('store') || configKey !== this.#configKey || isRefused) {
      this.#configKey = configKey
      void this.#start()
    } else {
      if (changed.has('appBadge') || changed.has('titleCount')) this.#showCount()
      if (changed.has('messages') || changed.has('webPushOptInMessage')) this.#publish(this.#ready)
    }
  }

  async #start(): Promise<void> {
    this.#stop()
    const startCount = this.#startCount
    const given = validateStore(this)
    if (!given && !isComplete(this)) return
    const store = given ?? (await loadStore(this, retry => this.#onLoadFailure(startCount, retry)))
    if (!store) return
    if (startCount !== this.#startCount) return given ? undefined : store.destroy()
    const unwatch = watchNewNotifications(store, this, this)
    const user = toUserKey(this)
    this.#release = () => {
      unwatch()
      if (!given) store.destroy({ forget: toUserKey(this) !== user })
    }
    this.#publish({ store })
    this.#showCount()
  }

  #showCount(): void {
    this.#hideCount()
    const { store } = this.#ready
    if (store) this.#hideCount = showOutsideCount(store, this)
  }

  #stop(): void {
    this.#startCount += 1
    this.#hideCount()
    this.#release()
    this.#release = () => {}
    this.#publish({})
  }

  #onLoadFailure(startCount: number, retry: () => void): boolean {
    if (startCount !== this.#startCount) return false
    const retryLoad = (): void => {
      this.#publish({})
      retry()
    }
    this.#publish({ retryLoad })
    return true
  }

  #publish(ready: Pick<StoreContext, 'retryLoad' | 'store'>): void {
    this.#ready = ready
    const { lang, messages, webPushOptInMessage } = this
    this.#provider.setValue({ ...ready, lang: lang || undefined, messages, webPushOptInMessage })
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-provider': NotifProvider
  }
}
