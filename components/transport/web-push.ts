// A browser's answer to web push: worker, permission, subscription, and the server that learns of it (spec/wire.md 8.3).

import type { Identity } from '../store/transport.ts'

/** What the server says about itself, as far as it is needed here. */
export interface Account {
  /** Uncompressed P-256 point in base64url. */
  readonly environmentVapidPublicKey: string
}

interface Options {
  readonly account: () => Promise<Account>
  readonly identify: (identity: Identity) => Promise<void>
  /** The address of the user at the server. */
  readonly user: string
  /** Address of the worker, on the origin of the page. */
  readonly path: string | undefined
}

const WORKER = '/notif-service-worker.js'

/** As the hosted product has it, so that people who have answered there are not asked again. */
const ANSWERED = 'hideWebPushOptInMessage'

/** User and endpoint as the server knows them, with a space between; http.ts looks whether it is there. */
const TOLD = 'notifWebPush'

interface Policy {
  createScriptURL(url: string): string
}

const NAME = 'notif-kit-worker'
/** A policy may be made once only, whatever copies of the kit a page has, so they share it. */
const SHARED = Symbol.for(NAME)

/** Pages of a strict policy take an address of a script only from a policy. */
function scriptAddress(path: string): string {
  const page = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
    [SHARED]?: Policy
  }
  const rules: Policy = {
    createScriptURL(url) {
      if (new URL(url, location.href).origin === location.origin) return url
      throw new TypeError('A service worker is of the origin of its page.')
    }
  }
  return (page[SHARED] ??= page.trustedTypes?.createPolicy(NAME, rules) ?? rules).createScriptURL(path)
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, letter => letter.charCodeAt(0))
}

/** A worker that is just being installed cannot be pushed to yet. */
async function activated(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting
  if (registration.active || !worker) return
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve()
      else if (worker.state === 'redundant') reject(new Error('The service worker could not be installed.'))
    })
  })
}

const isSame = (one: ArrayBuffer | null | undefined, other: Uint8Array): boolean =>
  one?.byteLength === other.length && new Uint8Array(one).every((byte, i) => byte === other[i])

/** A subscription belongs to the key it was made with. */
async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  applicationServerKey: Uint8Array<ArrayBuffer>
): Promise<PushSubscription> {
  const old = await pushManager.getSubscription().catch(() => null)
  if (old && !isSame(old.options.applicationServerKey, applicationServerKey)) await old.unsubscribe()
  return pushManager.subscribe({ applicationServerKey, userVisibleOnly: true })
}

async function tell({ identify, user }: Options, subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  await identify({ webPushTokens: [{ sub: { endpoint, keys } }] })
  localStorage.setItem(TOLD, `${user} ${endpoint}`)
}

/** Of a user who has not said yes in this browser it tells nothing. */
async function look(options: Options): Promise<void> {
  const { account, path = WORKER, user } = options
  const [whose, endpoint] = (localStorage.getItem(TOLD) ?? '').split(' ')
  const registration = await navigator.serviceWorker.getRegistration(path)
  if (whose !== user || Notification.permission !== 'granted' || !registration) return
  const subscription =
    (await registration.pushManager.getSubscription()) ??
    (await subscribe(registration, bytesOf((await account()).environmentVapidPublicKey)))
  if (subscription.endpoint !== endpoint) await tell(options, subscription)
}

/** Users that signed in on this page, each with its newest options. One listener serves all of them. */
const listening = new Map<string, Options>()

const onNews = ({ data }: MessageEvent<{ type?: unknown } | null>): void => {
  if (data?.type !== 'notif-push-renewed') return
  // Where it does not succeed the next page tries again.
  for (const options of listening.values()) void look(options).catch(() => {})
}

function listen(options: Options): void {
  listening.set(options.user, options)
  // The same listener is added once, however often.
  navigator.serviceWorker.addEventListener('message', onNews)
}

/**
 * Tells the server when the browser has given out another subscription in place of the one that the server knows: now, and
 * whenever the worker says so.
 */
export async function renewSubscription(options: Options): Promise<void> {
  listen(options)
  await look(options)
}

async function leave(path: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(path)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  localStorage.removeItem(TOLD)
}

/** Whether this browser still has to be asked. */
export const canAskForPush = (): boolean =>
  'PushManager' in globalThis &&
  globalThis.Notification?.permission === 'default' &&
  localStorage.getItem(ANSWERED) !== 'true'

/** @throws Error when the browser knows no web push or has no worker; TransportError when the server is not reached */
export async function setOptIn(on: boolean, options: Options): Promise<void> {
  const { account, path = WORKER } = options
  if (on) {
    if (!('serviceWorker' in navigator) || !('PushManager' in globalThis))
      throw new Error('This browser knows no web push.')
    // Asked first: a browser listens only shortly after a click.
    const permission = await Notification.requestPermission()
    if (permission === 'granted') {
      const [registration, { environmentVapidPublicKey }] = await Promise.all([
        navigator.serviceWorker.register(scriptAddress(path)),
        account()
      ])
      await activated(registration)
      await tell(options, await subscribe(registration, bytesOf(environmentVapidPublicKey)))
      listen(options)
    }
  } else await leave(path)
  localStorage.setItem(ANSWERED, 'true')
}
