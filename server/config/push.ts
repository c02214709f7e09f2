// Settings of mobile push and web push.

import { createPrivateKey } from 'node:crypto'

import { z } from 'zod'

import { address, base, flag, oneOf, optional, setting, whole, type Values } from './parse.ts'

/** PEM; with `\\n` for line ends where it came through a place that allows only one line. */
const privateKey = z
  .string()
  .transform(text => text.replaceAll(String.raw`\n`, '\n'))
  .refine(isPrivateKey, { error: 'Expected a private key in PEM, such as the .p8 file from Apple.' })
  .optional()

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}

/** The file that Google's console gives out, as far as it is needed. */
export const serviceAccount = z.object({
  client_email: z.string().min(1),
  private_key: z.string().includes('PRIVATE KEY'),
  private_key_id: z.string().optional(),
  project_id: z.string().regex(/^[\w:.-]+$/),
  token_uri: z.url({ protocol: /^https?$/ }).default('https://oauth2.googleapis.com/token')
})

export type ServiceAccount = z.output<typeof serviceAccount>

const account = z
  .string()
  .transform((text, context) => {
    const read = serviceAccount.safeParse(jsonOf(text))
    if (read.success) return read.data
    // The value holds a key, so it is not repeated.
    context.addIssue({ code: 'custom', message: 'Expected the JSON of a service account.' })
    return z.NEVER
  })
  .optional()

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const PUSH = {
  apnsKey: setting(
    'NOTIF_APNS_KEY',
    'Key for Apple devices (.p8, PEM); unset: their pushes stay in the sandbox',
    privateKey,
    true
  ),
  apnsKeyId: setting('NOTIF_APNS_KEY_ID', 'Its id, ten characters', optional),
  apnsTeamId: setting('NOTIF_APNS_TEAM_ID', 'Id of the Apple developer team', optional),
  apnsTopic: setting('NOTIF_APNS_TOPIC', 'Bundle id of the app', optional),
  apnsUrl: setting(
    'NOTIF_APNS_URL',
    'Address of APNs; default: https://api.push.apple.com',
    address('https:')
  ),
  apnsSandboxUrl: setting(
    'NOTIF_APNS_SANDBOX_URL',
    'Address for development builds; default: https://api.sandbox.push.apple.com',
    address('https:')
  ),
  apnsBytes: setting(
    'NOTIF_APNS_BYTES',
    'Largest payload for Apple devices; a longer text is cut. Apple takes 4096',
    whole(2048, 500, 4096)
  ),
  apnsSlots: setting('NOTIF_APNS_SLOTS', 'Pushes to Apple devices under way at once', whole(100, 1, 1000)),
  fcmAccount: setting(
    'NOTIF_FCM_SERVICE_ACCOUNT',
    'Service account of the Firebase project (JSON); unset: its pushes stay in the sandbox',
    account,
    true
  ),
  fcmUrl: setting(
    'NOTIF_FCM_URL',
    'Address of Firebase; default: https://fcm.googleapis.com',
    base('https:', 'http:')
  ),
  fcmSlots: setting('NOTIF_FCM_SLOTS', 'Pushes by Firebase under way at once', whole(50, 1, 1000)),
  webPush: setting(
    'NOTIF_WEB_PUSH',
    'Push to browsers for real, or 0: into the sandbox; default: 0 with NOTIF_DEMO, else 1',
    flag.optional()
  ),
  vapidSubject: setting(
    'NOTIF_VAPID_SUBJECT',
    'mailto: or https: address of the operator, for push services; default: NOTIF_EMAIL_FROM',
    address('mailto:', 'https:')
  ),
  webPushBytes: setting(
    'NOTIF_WEB_PUSH_BYTES',
    'Largest web push message; a longer text is cut',
    whole(3993, 500, 3993)
  ),
  webPushTtl: setting(
    'NOTIF_WEB_PUSH_TTL_SECONDS',
    'How long a push service keeps a message for a browser that is away; 0: now or never',
    whole(2_419_200, 0, 2_419_200)
  ),
  webPushSlots: setting('NOTIF_WEB_PUSH_SLOTS', 'Pushes to browsers under way at once', whole(50, 1, 1000)),
  webPushUrgency: setting(
    'NOTIF_WEB_PUSH_URGENCY',
    'very-low, low, normal or high: what may wake a device that saves its battery',
    oneOf(['very-low', 'low', 'normal', 'high'], 'normal')
  )
} as const

type PushConfig = Values<typeof PUSH>

/** The key for Apple devices is of no use without what belongs to it. */
export const pushProblems = (config: PushConfig) =>
  (['apnsKeyId', 'apnsTeamId', 'apnsTopic'] as const)
    .filter(key => config.apnsKey !== undefined && config[key] === undefined)
    .map(key => ({ detail: 'NOTIF_APNS_KEY needs it.', key }))
