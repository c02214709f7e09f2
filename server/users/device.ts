// Types of a device: an address for mobile push or web push.
//
// Type aliases instead of interfaces, because only aliases are assignable to JSON.

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
