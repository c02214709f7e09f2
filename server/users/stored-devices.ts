// Devices as identify names them become rows.

import type { Json } from '../db/db.ts'
import { sha256 } from '../http/auth.ts'
import type { Identity } from './schema.ts'

export interface StoredDevice {
  readonly kind: 'apn' | 'fcm' | 'web'
  readonly hash: Buffer
  /** The token as text, or a push subscription `{ endpoint, keys }`. */
  readonly token: Json
  readonly device: Json
}

/** One row for each token: of a token that is named twice the last one counts. */
export function devicesOf({ pushTokens, webPushTokens }: Identity): StoredDevice[] {
  const devices = new Map<string, StoredDevice>()
  for (const { type, token, device, environment } of pushTokens ?? []) {
    const about = environment ? { ...device, environment } : device
    devices.set(`${type} ${token}`, { device: about, hash: sha256(token), kind: type, token })
  }
  for (const { sub } of webPushTokens ?? []) {
    devices.set(`web ${sub.endpoint}`, { device: {}, hash: sha256(sub.endpoint), kind: 'web', token: sub })
  }
  return [...devices.values()]
}
