// Converts the devices of an identify request to rows.

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
