// Settings of SMS and calls, and which provider they add up to.

import { address, base, oneOf, optional, secretText, setting, text, whole, type Values } from './parse.ts'

export const PHONE_PROVIDERS = ['twilio', 'vonage', 'plivo', 'webhook'] as const
export type PhoneProviderName = (typeof PHONE_PROVIDERS)[number]

const server = (usual: string) => base('http:', 'https:').transform(value => value ?? usual)

export const PHONE = {
  smsProvider: setting(
    'NOTIF_SMS_PROVIDER',
    'twilio, vonage, plivo or webhook, for SMS and calls; default: the one that is configured',
    oneOf([...PHONE_PROVIDERS, ''], '')
  ),
  smsFrom: setting('NOTIF_SMS_FROM', 'Number or name that messages come from', optional),
  callFrom: setting('NOTIF_CALL_FROM', 'Number that calls come from; default: NOTIF_SMS_FROM', optional),
  smsConnections: setting(
    'NOTIF_SMS_CONNECTIONS',
    'Messages, and calls, under way at once',
    whole(10, 1, 200)
  ),
  smsSegments: setting('NOTIF_SMS_SEGMENTS', 'Most segments of one message', whole(10, 1, 255)),
  callCharacters: setting('NOTIF_CALL_CHARACTERS', 'Longest text of a call', whole(1500, 1, 4000)),
  callLanguage: setting('NOTIF_CALL_LANGUAGE', 'Language that calls are spoken in', text('en-US')),
  twilioAccount: setting('NOTIF_TWILIO_ACCOUNT_SID', 'Account SID of Twilio', optional),
  twilioToken: setting('NOTIF_TWILIO_AUTH_TOKEN', 'Its auth token; also checks call-backs', secretText, true),
  twilioService: setting(
    'NOTIF_TWILIO_MESSAGING_SERVICE',
    'Messaging service SID, instead of NOTIF_SMS_FROM',
    optional
  ),
  twilioUrl: setting('NOTIF_TWILIO_URL', 'Base address of Twilio', server('https://api.twilio.com')),
  vonageKey: setting('NOTIF_VONAGE_API_KEY', 'API key of Vonage', optional),
  vonageSecret: setting('NOTIF_VONAGE_API_SECRET', 'Its secret', secretText, true),
  vonageApplication: setting('NOTIF_VONAGE_APPLICATION_ID', 'Application that makes calls', optional),
  vonagePrivateKey: setting('NOTIF_VONAGE_PRIVATE_KEY', 'Its private key in PEM', optional, true),
  vonageSignature: setting(
    'NOTIF_VONAGE_SIGNATURE_SECRET',
    'Signature secret that checks call-backs',
    secretText,
    true
  ),
  vonageUrl: setting('NOTIF_VONAGE_URL', 'Base address of Vonage', server('https://api.nexmo.com')),
  plivoId: setting('NOTIF_PLIVO_AUTH_ID', 'Auth ID of Plivo', optional),
  plivoToken: setting('NOTIF_PLIVO_AUTH_TOKEN', 'Its auth token; also checks call-backs', secretText, true),
  plivoUrl: setting('NOTIF_PLIVO_URL', 'Base address of Plivo', server('https://api.plivo.com')),
  smsWebhookUrl: setting(
    'NOTIF_SMS_WEBHOOK_URL',
    'Gateway of your own that gets messages and calls as Standard Webhooks',
    address('http:', 'https:')
  ),
  smsWebhookSecret: setting(
    'NOTIF_SMS_WEBHOOK_SECRET',
    'Secret that signs them and checks call-backs: whsec_ and base64',
    secretText,
    true
  )
} as const

/** The settings as far as they are about phones. */
export type PhoneConfig = Values<typeof PHONE> & { readonly publicUrl: string | undefined }

type Key = keyof PhoneConfig

/** What each provider cannot do without; the first one says that it is meant. */
const NEEDS: Readonly<Record<PhoneProviderName, readonly [Key, ...Key[]]>> = {
  plivo: ['plivoId', 'plivoToken', 'smsFrom', 'publicUrl'],
  twilio: ['twilioAccount', 'twilioToken'],
  vonage: ['vonageKey', 'vonageSecret', 'smsFrom'],
  webhook: ['smsWebhookUrl', 'smsWebhookSecret']
}

/** The provider of SMS and calls; undefined: the sandbox. */
export function phoneProviderOf(config: PhoneConfig): PhoneProviderName | undefined {
  if (config.smsProvider !== '') return config.smsProvider
  return PHONE_PROVIDERS.find(name => config[NEEDS[name][0]] !== undefined)
}

/** @returns what is wrong, with the key of the setting */
export function phoneProblems(config: PhoneConfig): { key: Key; detail: string }[] {
  const meant = PHONE_PROVIDERS.filter(name => config[NEEDS[name][0]] !== undefined)
  if (config.smsProvider === '' && meant.length > 1) {
    const detail = `${meant.join(' and ')} are configured: say here which one is to be used.`
    return [{ detail, key: 'smsProvider' }]
  }
  const name = phoneProviderOf(config)
  if (name === undefined) return []
  const missing = (key: Key) => ({ detail: `It is needed for ${name}.`, key })
  const problems = NEEDS[name].filter(key => config[key] === undefined).map(missing)
  if (name === 'twilio' && config.smsFrom === undefined && config.twilioService === undefined) {
    problems.push(missing('smsFrom'))
  }
  if (
    name === 'vonage' &&
    (config.vonageApplication === undefined) !== (config.vonagePrivateKey === undefined)
  ) {
    problems.push({
      detail: 'Calls by Vonage need the application id and its private key.',
      key: config.vonageApplication === undefined ? 'vonageApplication' : 'vonagePrivateKey'
    })
  }
  return problems
}
