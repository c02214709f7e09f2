// Settings of push: APNs, FCM and web push.

import { createPrivateKey } from 'node:crypto'

import { z } from 'zod'

import { address, base, flag, hostPatterns, optional, setting, wholeOrUnset, type Values } from './parse.ts'

/** PEM. A value with `\\n` instead of line ends is accepted, because some secret stores keep one line only. */
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

/** The fields that are used of the JSON file from the Google console. */
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
    const parsed = serviceAccount.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
    // The value holds a private key, so the message does not repeat it.
    context.addIssue({ code: 'custom', message: 'Expected the JSON of a service account.' })
    return z.NEVER
  })
  .optional()

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const PUSH = {
  apnsKey: setting(
    'NOTIF_APNS_KEY',
    'Key for Apple devices (.p8, PEM); unset: APNs pushes stay in the sandbox',
    privateKey,
    true
  ),
  apnsKeyId: setting('NOTIF_APNS_KEY_ID', 'Id of that key, ten characters', optional),
  apnsTeamId: setting('NOTIF_APNS_TEAM_ID', 'Id of the Apple developer team', optional),
  apnsTopic: setting('NOTIF_APNS_TOPIC', 'Bundle id of the app', optional),
  apnsUrl: setting('NOTIF_APNS_URL', 'Address of APNs; unset: https://api.push.apple.com', address('https:')),
  apnsSandboxUrl: setting(
    'NOTIF_APNS_SANDBOX_URL',
    'Address of APNs for development builds; unset: https://api.sandbox.push.apple.com',
    address('https:')
  ),
  fcmAccount: setting(
    'NOTIF_FCM_SERVICE_ACCOUNT',
    'Service account of the Firebase project (JSON); unset: FCM pushes stay in the sandbox',
    account,
    true
  ),
  fcmUrl: setting(
    'NOTIF_FCM_URL',
    'Address of Firebase; unset: https://fcm.googleapis.com',
    base('https:', 'http:')
  ),
  webPush: setting(
    'NOTIF_WEB_PUSH',
    '1: send web pushes to browsers, 0: keep them in the sandbox; unset: 0 in a demo, otherwise 1',
    flag.optional()
  ),
  webPushHosts: setting(
    'NOTIF_WEB_PUSH_HOSTS',
    'Push services besides those of Chrome, Firefox, Safari and Edge, separated by commas: hosts, *.domain, or * for any',
    hostPatterns
  ),
  vapidSubject: setting(
    'NOTIF_VAPID_SUBJECT',
    'mailto: or https: address of the operator, for push services; unset: NOTIF_EMAIL_FROM',
    address('mailto:', 'https:')
  ),
  pushConcurrency: setting(
    'NOTIF_PUSH_CONCURRENCY',
    'Pushes in progress at once, for APNs, FCM and web push each; unset: 100 for APNs, 50 for the others',
    wholeOrUnset(1, 1000)
  )
} as const

type PushConfig = Values<typeof PUSH>

export const pushProblems = (config: PushConfig) =>
  (['apnsKeyId', 'apnsTeamId', 'apnsTopic'] as const)
    .filter(key => config.apnsKey !== undefined && config[key] === undefined)
    .map(key => ({ detail: 'Required when NOTIF_APNS_KEY is set.', key }))
