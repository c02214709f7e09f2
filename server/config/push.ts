// Settings of mobile push and web push.

import { address, flag, oneOf, setting, whole } from './parse.ts'

export const PUSH = {
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
  webPushUrgency: setting(
    'NOTIF_WEB_PUSH_URGENCY',
    'very-low, low, normal or high: what may wake a device that saves its battery',
    oneOf(['very-low', 'low', 'normal', 'high'], 'normal')
  )
} as const
