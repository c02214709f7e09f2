// Which provider each kind of push has: the configured one, or the sandbox.

import { sendsWebPush, type Config } from '../../config/config.ts'
import { defaultSender } from '../../config/email.ts'
import type { Encryption } from '../../environments/encryption/encryption.ts'
import type { VapidKeys } from '../../environments/encryption/keys.ts'
import { openOutbound } from '../../outbound/outbound.ts'
import type { Context } from '../../process/context.ts'
import type { Provider } from '../channel.ts'
import { apnSandbox, fcmSandbox, webPushSandbox } from '../sandbox/push-provider.ts'
import type { ApnMessage } from './apns/message.ts'
import { apnProvider } from './apns/provider.ts'
import { tokenShelf } from './apns/shared-token.ts'
import type { FcmMessage } from './fcm/message.ts'
import { fcmProvider } from './fcm/provider.ts'
import type { WebPushMessage } from './web/message.ts'
import { webPushProvider } from './web/provider.ts'

export interface PushKit extends Pick<Context, 'clock' | 'config' | 'db' | 'outbound'> {
  readonly encryption: Encryption
  readonly vapid: VapidKeys
}

export const apn = ({ clock, config, db, encryption }: PushKit): Provider<ApnMessage> => {
  const { apnsKey: key, apnsKeyId, apnsTeamId, apnsTopic, apnsUrl, apnsSandboxUrl } = config
  return key === undefined
    ? apnSandbox(db)
    : apnProvider({
        clock,
        key,
        keyId: apnsKeyId!,
        shelf: tokenShelf(db, encryption, { key, keyId: apnsKeyId!, teamId: apnsTeamId! }),
        teamId: apnsTeamId!,
        topic: apnsTopic!,
        urls: {
          production: apnsUrl ?? 'https://api.push.apple.com',
          sandbox: apnsSandboxUrl ?? 'https://api.sandbox.push.apple.com'
        }
      })
}

export const fcm = ({ clock, config, db }: PushKit): Provider<FcmMessage> =>
  config.fcmAccount === undefined
    ? fcmSandbox(db)
    : fcmProvider({
        account: config.fcmAccount,
        clock,
        outbound: openOutbound({ config, trusted: true }),
        url: config.fcmUrl ?? 'https://fcm.googleapis.com'
      })

export const webPush = ({ clock, config, db, outbound, vapid }: PushKit): Provider<WebPushMessage> =>
  sendsWebPush(config)
    ? webPushProvider({ clock, keys: vapid, outbound, subject: vapidSubject(config) })
    : webPushSandbox(db)

const vapidSubject = (config: Config): string =>
  config.vapidSubject ?? `mailto:${defaultSender(config).address}`
