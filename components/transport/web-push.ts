// Subscribes a browser to web push: service worker, permission, subscription, and registration at the server.

import type { Identity } from '../store/transport.ts'
import { DEFAULT_WORKER_PATH } from './close-pushes.ts'

/** The part of the account that web push needs. */
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

/** The key of the hosted product, so that users who answered there are not asked again. */
const OPT_IN_ANSWER_KEY = 'hideWebPushOptInMessage'

/** Address of the user and registered endpoint, separated by a space; http.ts checks whether it exists. */
const REGISTRATION_KEY = 'notifWebPush'

interface Policy {
  createScriptURL(url: string): string
}

const POLICY_NAME = 'notif-kit-worker'
/** A policy can be created only once, so all copies of the kit on a page share it. */
const POLICY_KEY = Symbol.for(POLICY_NAME)

/** Returns the address in the form that pages with Trusted Types require. */
function scriptAddress(path: string): string {
  const page = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
    [POLICY_KEY]?: Policy
  }
  const rules: Policy = {
    createScriptURL(url) {
      if (new URL(url, location.href).origin === location.origin) return url
      throw new TypeError('The service worker must have the origin of the page.')
    }
  }
  return (page[POLICY_KEY] ??= page.trustedTypes?.createPolicy(POLICY_NAME, rules) ?? rules).createScriptURL(
    path
  )
}

function decodeBase64Url(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, letter => letter.charCodeAt(0))
}

/** A subscription needs an active worker. */
async function waitUntilActive(registration: ServiceWorkerRegistration): Promise<void> {
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

/** Replaces a subscription that was created with another key. */
async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  applicationServerKey: Uint8Array<ArrayBuffer>
): Promise<PushSubscription> {
  const old = await pushManager.getSubscription().catch(() => null)
  if (old && !isSame(old.options.applicationServerKey, applicationServerKey)) await old.unsubscribe()
  return pushManager.subscribe({ applicationServerKey, userVisibleOnly: true })
}

async function registerSubscription(
  { identify, user }: Options,
  subscription: PushSubscription
): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  await identify({ webPushTokens: [{ sub: { endpoint, keys } }] })
  localStorage.setItem(REGISTRATION_KEY, `${user} ${endpoint}`)
}

let lastRenewal: Promise<unknown> = Promise.resolve()

/**
 * Registers the current subscription if it changed. Does nothing if the user did not subscribe in this browser. One renewal runs at a
 * time, because two that begin together would both send the subscription.
 */
function renewIfChanged(options: Options): Promise<void> {
  const renewal = lastRenewal.then(() => renew(options))
  lastRenewal = renewal.catch(() => {})
  return renewal
}

async function renew(options: Options): Promise<void> {
  const { account, path = DEFAULT_WORKER_PATH, user } = options
  const [registeredUser, endpoint] = (localStorage.getItem(REGISTRATION_KEY) ?? '').split(' ')
  const registration = await navigator.serviceWorker.getRegistration(path)
  if (registeredUser !== user || Notification.permission !== 'granted' || !registration) return
  const subscription =
    (await registration.pushManager.getSubscription()) ??
    (await subscribe(registration, decodeBase64Url((await account()).environmentVapidPublicKey)))
  if (subscription.endpoint !== endpoint) await registerSubscription(options, subscription)
}

/** Newest options of each user of this page, by the address of the user. */
const listeners = new Map<string, Options>()

const onWorkerMessage = ({ data }: MessageEvent<{ type?: unknown } | null>): void => {
  if (data?.type !== 'notif-push-renewed') return
  // If it fails, the next page tries again.
  for (const options of listeners.values()) void renewIfChanged(options).catch(() => {})
}

function listen(options: Options): void {
  listeners.set(options.user, options)
  // The same listener is added only once.
  navigator.serviceWorker.addEventListener('message', onWorkerMessage)
}

/**
 * Registers the subscription again if the browser replaced it: now, and whenever the service worker reports it.
 */
export async function renewSubscription(options: Options): Promise<void> {
  listen(options)
  await renewIfChanged(options)
}

async function unsubscribe(path: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(path)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  localStorage.removeItem(REGISTRATION_KEY)
}

/** Whether the user can be asked and has not answered yet. */
export const canAskForPush = (): boolean =>
  'PushManager' in globalThis &&
  'serviceWorker' in navigator &&
  globalThis.Notification?.permission === 'default' &&
  localStorage.getItem(OPT_IN_ANSWER_KEY) !== 'true'

/** Whether the worker is registered, or its address answers with a script. @param path - on the origin of the page */
export async function isWorkerThere(path = DEFAULT_WORKER_PATH): Promise<boolean> {
  try {
    if (new URL(path, location.href).origin !== location.origin) return false
    if (await navigator.serviceWorker.getRegistration(path)) return true
    const { headers, ok } = await fetch(path, { method: 'HEAD' })
    return ok && /javascript/.test(headers.get('content-type') ?? '')
  } catch {
    return false
  }
}

/** @throws Error if the browser does not support web push or installs no worker; TransportError if the server is not reached */
export async function setOptIn(isOn: boolean, options: Options): Promise<void> {
  const { account, path = DEFAULT_WORKER_PATH } = options
  if (isOn) {
    if (!('serviceWorker' in navigator) || !('PushManager' in globalThis))
      throw new Error('This browser does not support web push.')
    // Before anything else: browsers ask only shortly after a click.
    const permission = await Notification.requestPermission()
    // Closing the question of the browser is no answer, so the prompt may ask again.
    if (permission === 'default') return
    if (permission === 'granted') {
      const [registration, { environmentVapidPublicKey }] = await Promise.all([
        navigator.serviceWorker.register(scriptAddress(path)),
        account()
      ])
      await waitUntilActive(registration)
      await registerSubscription(
        options,
        await subscribe(registration, decodeBase64Url(environmentVapidPublicKey))
      )
      listen(options)
    }
  } else await unsubscribe(path)
  localStorage.setItem(OPT_IN_ANSWER_KEY, 'true')
}
