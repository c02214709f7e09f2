// Settings of SMS and calls, and the choice of their provider.

import {
  address,
  base,
  oneOf,
  optional,
  ownSecret,
  secretText,
  setting,
  text,
  whole,
  type Values
} from './parse.ts'

export const PHONE_PROVIDERS = ['twilio', 'vonage', 'plivo', 'webhook'] as const
export type PhoneProviderName = (typeof PHONE_PROVIDERS)[number]

/** Base addresses of the providers, unless NOTIF_SMS_URL says otherwise. */
const BASE_URLS = {
  plivo: 'https://api.plivo.com',
  twilio: 'https://api.twilio.com',
  vonage: 'https://api.nexmo.com'
} as const satisfies Partial<Record<PhoneProviderName, string>>

export const PHONE = {
  smsProvider: setting(
    'NOTIF_SMS_PROVIDER',
    'twilio, vonage, plivo or webhook, for SMS and calls; unset: the one that is configured',
    oneOf([...PHONE_PROVIDERS, ''], '')
  ),
  smsUrl: setting(
    'NOTIF_SMS_URL',
    `Base address of the provider; unset: ${BASE_URLS.twilio}, ${BASE_URLS.vonage} or ${BASE_URLS.plivo}`,
    base('http:', 'https:')
  ),
  smsFrom: setting('NOTIF_SMS_FROM', 'Number or name that messages come from', optional),
  callFrom: setting('NOTIF_CALL_FROM', 'Number that calls come from; unset: NOTIF_SMS_FROM', optional),
  smsConnections: setting(
    'NOTIF_SMS_CONNECTIONS',
    'Text messages in progress at once, and as many calls',
    whole(10, 1, 200)
  ),
  callLanguage: setting('NOTIF_CALL_LANGUAGE', 'Language that calls are spoken in', text('en-US')),
  twilioAccount: setting('NOTIF_TWILIO_ACCOUNT_SID', 'Account SID of Twilio', optional),
  twilioToken: setting(
    'NOTIF_TWILIO_AUTH_TOKEN',
    'Auth token of that account; also verifies callbacks',
    secretText,
    true
  ),
  twilioService: setting(
    'NOTIF_TWILIO_MESSAGING_SERVICE',
    'Messaging service SID, instead of NOTIF_SMS_FROM',
    optional
  ),
  vonageKey: setting('NOTIF_VONAGE_API_KEY', 'API key of Vonage', optional),
  vonageSecret: setting('NOTIF_VONAGE_API_SECRET', 'Secret of that API key', secretText, true),
  vonageApplication: setting('NOTIF_VONAGE_APPLICATION_ID', 'Application that makes calls', optional),
  vonagePrivateKey: setting(
    'NOTIF_VONAGE_PRIVATE_KEY',
    'Private key of that application, in PEM',
    optional,
    true
  ),
  vonageSignature: setting(
    'NOTIF_VONAGE_SIGNATURE_SECRET',
    'Signature secret that verifies callbacks',
    secretText,
    true
  ),
  plivoId: setting('NOTIF_PLIVO_AUTH_ID', 'Auth ID of Plivo', optional),
  plivoToken: setting(
    'NOTIF_PLIVO_AUTH_TOKEN',
    'Auth token of that account; also verifies callbacks',
    secretText,
    true
  ),
  smsWebhookUrl: setting(
    'NOTIF_SMS_WEBHOOK_URL',
    'Your own gateway, which receives messages and calls as Standard Webhooks',
    address('http:', 'https:')
  ),
  smsWebhookSecret: setting(
    'NOTIF_SMS_WEBHOOK_SECRET',
    'Secret of that gateway: signs requests and verifies callbacks; whsec_ and base64',
    ownSecret,
    true
  )
} as const

export type PhoneConfig = Values<typeof PHONE> & { readonly publicUrl: string | undefined }

/** @returns the base address of the provider */
export const smsBaseUrl = (config: Pick<PhoneConfig, 'smsUrl'>, name: keyof typeof BASE_URLS): string =>
  config.smsUrl ?? BASE_URLS[name]

type Key = keyof PhoneConfig

/** Required settings of each provider; a provider counts as configured if its first one is set. */
const NEEDS: Readonly<Record<PhoneProviderName, readonly [Key, ...Key[]]>> = {
  plivo: ['plivoId', 'plivoToken', 'smsFrom', 'publicUrl'],
  twilio: ['twilioAccount', 'twilioToken'],
  vonage: ['vonageKey', 'vonageSecret', 'smsFrom'],
  webhook: ['smsWebhookUrl', 'smsWebhookSecret']
}

/** @returns undefined if messages and calls stay in the sandbox */
export function chooseSmsProvider(config: PhoneConfig): PhoneProviderName | undefined {
  if (config.smsProvider !== '') return config.smsProvider
  return PHONE_PROVIDERS.find(name => config[NEEDS[name][0]] !== undefined)
}

export function phoneProblems(config: PhoneConfig): { key: Key; detail: string }[] {
  const configured = PHONE_PROVIDERS.filter(name => config[NEEDS[name][0]] !== undefined)
  if (config.smsProvider === '' && configured.length > 1) {
    const detail = `${configured.join(' and ')} are configured. Set this to the one to use.`
    return [{ detail, key: 'smsProvider' }]
  }
  const name = chooseSmsProvider(config)
  if (name === undefined) return []
  const missing = (key: Key) => ({ detail: `Required for ${name}.`, key })
  const problems = NEEDS[name].filter(key => config[key] === undefined).map(missing)
  if (name === 'twilio' && config.smsFrom === undefined && config.twilioService === undefined) {
    problems.push(missing('smsFrom'))
  }
  if (
    name === 'vonage' &&
    (config.vonageApplication === undefined) !== (config.vonagePrivateKey === undefined)
  ) {
    problems.push({
      detail: 'Required for calls by Vonage, which need the application id and its private key.',
      key: config.vonageApplication === undefined ? 'vonageApplication' : 'vonagePrivateKey'
    })
  }
  return problems
}
