// Probes the provider of a queue with its credentials and without a message, when an operator asks for it.

import { randomUUID } from 'node:crypto'
import { resolveTxt } from 'node:dns/promises'

import type { Config } from '../../config/config.ts'
import { chooseSmsProvider, smsBaseUrl, type PhoneProviderName } from '../../config/phone.ts'
import { openOutbound, type Outbound } from '../../outbound/outbound.ts'
import type { ChannelQueue, Delivery } from '../channel.ts'
import { probeEmail } from '../email/probe.ts'
import { parseJsonObject } from '../provider-answer.ts'
import { providerName, SANDBOX } from '../provider-names.ts'
import type { ApnMessage } from '../push/apns/message.ts'
import { createAccessTokens, NoTokenError } from '../push/fcm/account.ts'
import { chooseApnProvider, type PushContext } from '../push/providers.ts'
import { basicAuthorization } from '../sms-call/outcome.ts'

export interface ProviderCheck {
  readonly probe: string
  /** `warning`: messages are sent, but perhaps not as intended. `unsupported`: nothing was asked. */
  readonly state: 'ok' | 'warning' | 'failed' | 'unsupported'
  /** Contains no secret and no account. */
  readonly detail: string
}

export interface ProbeContext extends PushContext {
  /** Default: open to any address, as the settings of an operator are. */
  readonly provider?: Outbound
}

const TIMEOUT_MS = 10_000

const unsupported = (detail: string): ProviderCheck[] => [{ detail, probe: 'account', state: 'unsupported' }]

const isAccepted = (status: number): boolean => status >= 200 && status < 300

/** Requests an address that shows the account and changes nothing. */
async function probeAddress(
  { config, provider = openOutbound({ config, trusted: true }) }: ProbeContext,
  name: string,
  url: string,
  authorization?: string
): Promise<ProviderCheck> {
  const answer = await provider.request(url, {
    ...(authorization !== undefined && { headers: { authorization } }),
    signal: AbortSignal.timeout(TIMEOUT_MS)
  })
  if (!answer.ok)
    return { detail: `${name} does not answer (${answer.code}).`, probe: 'account', state: 'failed' }
  const { status } = answer
  if (isAccepted(status)) return { detail: `${name} accepts the account.`, probe: 'account', state: 'ok' }
  const reason = status === 401 || status === 403 ? 'refuses the account' : 'answers with an error'
  return { detail: `${name} ${reason} (status ${status}).`, probe: 'account', state: 'failed' }
}

/** Addresses of accounts: https://www.twilio.com/docs/iam/api/account, https://developer.vonage.com/en/api/account, https://www.plivo.com/docs/account/api */
const ACCOUNTS: Readonly<
  Record<Exclude<PhoneProviderName, 'webhook'>, (config: Config) => readonly [string, string]>
> = {
  plivo: ({ plivoId = '', plivoToken = '', smsUrl }) => [
    `${smsBaseUrl({ smsUrl }, 'plivo')}/v1/Account/${encodeURIComponent(plivoId)}/`,
    basicAuthorization(plivoId, plivoToken)
  ],
  twilio: ({ smsUrl, twilioAccount = '', twilioToken = '' }) => [
    `${smsBaseUrl({ smsUrl }, 'twilio')}/2010-04-01/Accounts/${encodeURIComponent(twilioAccount)}.json`,
    basicAuthorization(twilioAccount, twilioToken)
  ],
  vonage: ({ smsUrl, vonageKey = '', vonageSecret = '' }) => [
    `${smsBaseUrl({ smsUrl }, 'vonage')}/accounts/${encodeURIComponent(vonageKey)}/secrets`,
    basicAuthorization(vonageKey, vonageSecret)
  ]
}

async function probePhone(context: ProbeContext): Promise<ProviderCheck[]> {
  const name = chooseSmsProvider(context.config)!
  if (name === 'webhook')
    return unsupported('Your own gateway gets messages only, so there is nothing to ask.')
  return [await probeAddress(context, name, ...ACCOUNTS[name](context.config))]
}

async function probeFcm({
  clock,
  config,
  provider = openOutbound({ config, trusted: true })
}: ProbeContext): Promise<ProviderCheck[]> {
  try {
    await createAccessTokens(config.fcmAccount!, clock, provider).current()
    return [{ detail: 'Google gives the service account a token.', probe: 'account', state: 'ok' }]
  } catch (error) {
    if (!(error instanceof NoTokenError)) throw error
    return [{ detail: 'Google gives the service account no token.', probe: 'account', state: 'failed' }]
  }
}

/** No device has this token, and Apple checks the key first. */
const NO_MESSAGE: ApnMessage = {
  environment: 'production',
  headers: { 'apns-priority': '1', 'apns-push-type': 'background' },
  payload: '{"aps":{}}',
  text: '',
  title: '',
  token: '0'.repeat(64)
}

async function probeApns(context: ProbeContext): Promise<ProviderCheck[]> {
  const provider = chooseApnProvider(context)
  try {
    const outcome = await provider.send(NO_MESSAGE, { id: randomUUID() } as Delivery, {
      number: 1,
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
    if (outcome.kind === 'gone')
      return [{ detail: 'Apple accepts the key, team and topic.', probe: 'account', state: 'ok' }]
    const code = 'code' in outcome ? outcome.code : outcome.kind
    return [
      {
        detail: `Apple refuses the key, team or topic, or does not answer (${code}).`,
        probe: 'account',
        state: 'failed'
      }
    ]
  } finally {
    await provider.close?.()
  }
}

async function probeSlack(context: ProbeContext): Promise<ProviderCheck[]> {
  const { config, provider = openOutbound({ config, trusted: true }) } = context
  const answer = await provider.request(`${config.slackUrl}/api.test`, {
    method: 'POST',
    signal: AbortSignal.timeout(TIMEOUT_MS)
  })
  const isOk = answer.ok && parseJsonObject(answer.body)?.['ok'] === true
  const detail = isOk
    ? 'Slack answers. Each user has a connection of her own, which only a message tries.'
    : 'Slack does not answer as expected.'
  return [{ detail, probe: 'api', state: isOk ? 'ok' : 'failed' }]
}

const PROBES: Readonly<Record<ChannelQueue, (context: ProbeContext) => Promise<ProviderCheck[]>>> = {
  APN: probeApns,
  CALL: probePhone,
  EMAIL: ({ config }) => probeEmail(config, resolveTxt) as Promise<ProviderCheck[]>,
  FCM: probeFcm,
  SLACK: probeSlack,
  SMS: probePhone,
  WEB_PUSH: () =>
    Promise.resolve(
      unsupported('Each browser names a push service of its own, and none can be asked without a message.')
    )
}

export const probeProvider = (queue: ChannelQueue, context: ProbeContext): Promise<ProviderCheck[]> =>
  providerName(queue, context.config) === SANDBOX
    ? Promise.resolve(unsupported('No provider is set, so messages are kept in the sandbox.'))
    : PROBES[queue](context)
