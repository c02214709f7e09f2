// A device: where mobile push and web push reach a user.
//
// Types, not interfaces: only these may be stored as JSON.

/** The provider that a token belongs to; `web`: a push subscription of a browser. */
export type DeviceKind = 'apn' | 'fcm' | 'web'

/** Of a push subscription (RFC 8291), in base64url. */
export type SubscriptionKeys = {
  readonly p256dh: string
  readonly auth: string
}

export type Device = {
  readonly kind: DeviceKind
  /** Token, or the endpoint of a subscription. */
  readonly to: string
  /** Of a subscription. */
  readonly keys?: SubscriptionKeys
  /** Of an APNs token whose app said which one it is from; otherwise the configured one. */
  readonly environment?: 'sandbox' | 'production'
}

/** Of a delivery, whose address is the token. */
export type DeviceInfo = Omit<Device, 'to'>
