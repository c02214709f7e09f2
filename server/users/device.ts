// Devices: addresses for mobile push or web push, and their stored form.
//
// Type aliases instead of interfaces, because only aliases are assignable to JSON.

import { sha256 } from '../core/hash.ts'
import type { Json } from '../db/db.ts'
import type { Identity } from './schema.ts'

/** The provider of the token; `web` for a push subscription of a browser. */
export type DeviceKind = 'apn' | 'fcm' | 'web'

/** Keys of a push subscription (RFC 8291), in base64url. */
export type SubscriptionKeys = {
  readonly p256dh: string
  readonly auth: string
}

export type Device = {
  readonly kind: DeviceKind
  /** Token, or endpoint of a push subscription. */
  readonly to: string
  /** Of a push subscription. */
  readonly keys?: SubscriptionKeys
  /** Of an APNs token, if the app gave it; otherwise the configured environment is used. */
  readonly environment?: 'sandbox' | 'production'
}

/** A device without its address, which is the address of the delivery. */
export type DeviceInfo = Omit<Device, 'to'>

export interface StoredDevice {
  readonly kind: 'apn' | 'fcm' | 'web'
  readonly hash: Buffer
  /** The token as text, or a push subscription `{ endpoint, keys }`. */
  readonly token: Json
  readonly device: Json
}

/** One row for each token; the last one wins if a token is given twice. */
export function toStoredDevices({ pushTokens, webPushTokens }: Identity): StoredDevice[] {
  const devices = new Map<string, StoredDevice>()
  for (const { type, token, device, environment } of pushTokens ?? []) {
    const info = environment ? { ...device, environment } : device
    devices.set(`${type} ${token}`, { device: info, hash: sha256(token), kind: type, token })
  }
  for (const { sub } of webPushTokens ?? []) {
    devices.set(`web ${sub.endpoint}`, { device: {}, hash: sha256(sub.endpoint), kind: 'web', token: sub })
  }
  return [...devices.values()]
}
