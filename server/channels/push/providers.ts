// Chooses the provider for each kind of push: the configured one, or the sandbox.

import { sendsWebPush, type Config } from '../../config/config.ts'
import { defaultSender } from '../../config/email.ts'
import type { Encryption } from '../../environments/encryption/encryption.ts'
import type { VapidKeys } from '../../environments/encryption/keys.ts'
import { openOutbound } from '../../outbound/outbound.ts'
import type { Context } from '../../process/context.ts'
import type { Provider } from '../channel.ts'
import { openApnSandbox, openFcmSandbox, openWebPushSandbox } from '../sandbox/push-provider.ts'
import type { ApnMessage } from './apns/message.ts'
import { openApnProvider } from './apns/provider.ts'
import { createSharedTokenStore } from './apns/token.ts'
import type { FcmMessage } from './fcm/message.ts'
import { openFcmProvider } from './fcm/provider.ts'
import type { WebPushMessage } from './web/message.ts'
import { openWebPushProvider } from './web/provider.ts'

export interface PushContext extends Pick<Context, 'clock' | 'config' | 'db' | 'outbound'> {
  readonly encryption: Encryption
  readonly vapid: VapidKeys
}

export function chooseApnProvider({ clock, config, db, encryption }: PushContext): Provider<ApnMessage> {
  const { apnsKey: key, apnsKeyId, apnsTeamId, apnsTopic, apnsUrl, apnsSandboxUrl } = config
  if (key === undefined) return openApnSandbox(db)
  const credentials = { key, keyId: apnsKeyId!, teamId: apnsTeamId! }
  return openApnProvider({
    ...credentials,
    clock,
    tokenStore: createSharedTokenStore(db, encryption, credentials),
    topic: apnsTopic!,
    urls: {
      production: apnsUrl ?? 'https://api.push.apple.com',
      sandbox: apnsSandboxUrl ?? 'https://api.sandbox.push.apple.com'
    }
  })
}

export const chooseFcmProvider = ({ clock, config, db }: PushContext): Provider<FcmMessage> =>
  config.fcmAccount === undefined
    ? openFcmSandbox(db)
    : openFcmProvider({
        account: config.fcmAccount,
        clock,
        outbound: openOutbound({ config, trusted: true }),
        url: config.fcmUrl ?? 'https://fcm.googleapis.com'
      })

export const chooseWebPushProvider = ({
  clock,
  config,
  db,
  outbound,
  vapid
}: PushContext): Provider<WebPushMessage> =>
  sendsWebPush(config)
    ? openWebPushProvider({ clock, keys: vapid, outbound, subject: vapidSubject(config) })
    : openWebPushSandbox(db)

const vapidSubject = (config: Config): string =>
  config.vapidSubject ?? `mailto:${defaultSender(config).address}`
