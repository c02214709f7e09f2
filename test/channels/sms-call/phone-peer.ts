// Fake HTTP servers of Twilio, Vonage, Plivo and a gateway: they check credentials and bodies, and choose the answer by the last
// digits of the number.

import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { PhoneProviderName } from '../../../server/config/phone.ts'
import { webhookSignature } from '../../../server/outbound/standard-webhook.ts'

export interface AcceptedMessage {
  readonly kind: 'sms' | 'call'
  readonly to: string
  readonly from: string
  /** The text as shown or spoken. */
  readonly text: string
  readonly media: readonly string[]
  /** Address for receipts. */
  readonly statusUrl: string | undefined
  /** Address of the text of the call. */
  readonly answerUrl: string | undefined
  /** The provider's id. */
  readonly ref: string
  /** Fields by which a provider can recognize a repeated message. */
  readonly raw: string
}

export interface PhonePeer extends AsyncDisposable {
  readonly url: string
  /** Settings of a server that uses this provider. */
  readonly env: Readonly<Record<string, string>>
  readonly accepted: AcceptedMessage[]
  /** Invalid requests, which are faults of the server. */
  readonly faults: string[]
  /** Answers everything like a service that is down. */
  down: boolean
}

interface Fault {
  readonly status: number
  readonly body: object
}

interface Spec {
  readonly env: (url: string) => Readonly<Record<string, string>>
  /** The request, or what is wrong with it. */
  readonly read: (request: IncomingMessage, body: string) => Omit<AcceptedMessage, 'ref' | 'raw'> | string
  readonly taken: (ref: string, kind: AcceptedMessage['kind']) => Fault
  readonly fault: (status: number) => object
}

const FROM = '+12025550100'
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
export const SIGNATURE_SECRET = 'signature-secret-of-vonage-0123456789'
export const TOKEN = 'token-of-the-account-5d1c'
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

const basicAuthorization = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const unescape = (xml: string): string =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

/** Returns the spoken text: that of the single element, which must be the only markup. */
export function readSpeech(xml: string): string {
  const [, words] =
    /^(?:<\?xml[^>]*\?><Response><(?:Say|Speak) language="en-US">|<speak>)([^<>]*)</.exec(xml) ?? []
  if (words === undefined || /&(?!(?:lt|gt|amp|quot|apos);)/.test(words))
    throw new Error(`Not speech: ${xml}`)
  return unescape(words)
}

const isNow = (seconds: unknown): boolean => Math.abs(Number(seconds) * 1000 - Date.now()) < 60_000

const isNumber = (text: unknown): boolean => typeof text === 'string' && /^\+[1-9]\d{6,14}$/.test(text)

const SPECS: Readonly<Record<PhoneProviderName, Spec>> = {
  plivo: {
    env: url => ({ NOTIF_PLIVO_AUTH_ID: 'MAID', NOTIF_PLIVO_AUTH_TOKEN: TOKEN, NOTIF_SMS_URL: url }),
    fault: () => ({ api_id: 'x', error: 'dst parameter is invalid' }),
    read(request, body) {
      if (request.headers.authorization !== basicAuthorization(`MAID:${TOKEN}`)) return 'credentials'
      const { answer_url, dst, from, hangup_url, media_urls, src, text, to, type, url } = JSON.parse(body)
      const call = request.url === '/v1/Account/MAID/Call/'
      if (!call && request.url !== '/v1/Account/MAID/Message/') return `address ${request.url}`
      if (!isNumber(call ? to : dst) || (call ? from : src) !== FROM) return `numbers ${body}`
      if (call && typeof answer_url !== 'string') return 'no answer_url'
      if ((media_urls === undefined) !== (type === undefined)) return 'type'
      return {
        answerUrl: answer_url,
        from: call ? from : src,
        kind: call ? 'call' : 'sms',
        media: media_urls ?? [],
        statusUrl: call ? hangup_url : url,
        text: call ? '' : text,
        to: call ? to : dst
      }
    },
    taken: (ref, kind) =>
      kind === 'call'
        ? { body: { api_id: 'x', message: 'call fired', request_uuid: ref }, status: 201 }
        : { body: { api_id: 'x', message: 'message(s) queued', message_uuid: [ref] }, status: 202 }
  },
  twilio: {
    env: url => ({ NOTIF_TWILIO_ACCOUNT_SID: 'AC1', NOTIF_TWILIO_AUTH_TOKEN: TOKEN, NOTIF_SMS_URL: url }),
    // 461: the account is not active. 462: the sending number is not one of the account.
    fault: status => {
      const codes: Readonly<Record<number, number>> = { 400: 21_211, 461: 20_005, 462: 21_606 }
      return { code: codes[status] ?? 20_000 + status, message: 'No.', status }
    },
    read(request, body) {
      if (request.headers.authorization !== basicAuthorization(`AC1:${TOKEN}`)) return 'credentials'
      const [, what] = /^\/2010-04-01\/Accounts\/AC1\/(Messages|Calls)\.json$/.exec(request.url ?? '') ?? []
      if (what === undefined) return `address ${request.url}`
      if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return 'type'
      const form = new URLSearchParams(body)
      const [to, from] = [form.get('To') ?? '', form.get('From') ?? '']
      if (!isNumber(to) || from === '') return `numbers ${body}`
      return {
        answerUrl: undefined,
        from,
        kind: what === 'Calls' ? 'call' : 'sms',
        media: form.getAll('MediaUrl'),
        statusUrl: form.get('StatusCallback') ?? undefined,
        text: what === 'Calls' ? readSpeech(form.get('Twiml') ?? '') : (form.get('Body') ?? ''),
        to
      }
    },
    taken: ref => ({ body: { num_segments: '1', sid: ref, status: 'queued' }, status: 201 })
  },
  vonage: {
    env: url => ({
      NOTIF_VONAGE_API_KEY: 'key',
      NOTIF_VONAGE_API_SECRET: TOKEN,
      NOTIF_VONAGE_APPLICATION_ID: 'app-1',
      NOTIF_VONAGE_PRIVATE_KEY: PEM,
      NOTIF_VONAGE_SIGNATURE_SECRET: SIGNATURE_SECRET,
      NOTIF_SMS_URL: url
    }),
    fault: () => ({
      detail: 'No.',
      title: 'Error',
      type: 'https://developer.vonage.com/api-errors/messages#1150'
    }),
    read(request, body) {
      const [, head, claims, signature] =
        /^Bearer (\S+)\.(\S+)\.(\S+)$/.exec(request.headers.authorization ?? '') ?? []
      const key = createPublicKey(pair.publicKey.export({ format: 'pem', type: 'spki' }))
      const signed = Buffer.from(`${head}.${claims}`)
      if (!verify('sha256', signed, key, Buffer.from(signature ?? '', 'base64url'))) return 'token'
      const claimSet = JSON.parse(Buffer.from(claims!, 'base64url').toString())
      if (!isNow(claimSet.iat)) return 'time'
      if (claimSet.application_id !== 'app-1' || claimSet.exp - claimSet.iat > 86_400 || !claimSet.jti)
        return 'claims'
      const message = JSON.parse(body)
      const call = request.url === '/v1/calls'
      if (!call && request.url !== '/v1/messages') return `address ${request.url}`
      const [to, from] = call ? [message.to[0].number, message.from.number] : [message.to, message.from]
      if (!isNumber(`+${to}`) || !isNumber(`+${from}`)) return `numbers ${body}`
      if (!call && (message.channel !== 'sms' || message.message_type !== 'text')) return 'channel'
      if (call && message.ncco[0].action !== 'talk') return 'ncco'
      return {
        answerUrl: undefined,
        from: `+${from}`,
        kind: call ? 'call' : 'sms',
        media: [],
        statusUrl: call ? message.event_url?.[0] : message.webhook_url,
        text: call ? readSpeech(message.ncco[0].text) : message.text,
        to: `+${to}`
      }
    },
    taken: (ref, kind) =>
      kind === 'call'
        ? { body: { status: 'started', uuid: ref }, status: 201 }
        : { body: { message_uuid: ref }, status: 202 }
  },
  webhook: {
    env: url => ({
      NOTIF_ALLOW_PRIVATE: '127.0.0.0/8',
      NOTIF_SMS_WEBHOOK_SECRET: SECRET,
      NOTIF_SMS_WEBHOOK_URL: `${url}/gateway`
    }),
    fault: () => ({ code: 'bad-number', message: 'No.' }),
    read(request, body) {
      const { headers } = request
      const [id, seconds] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
      const expected = `v1,${webhookSignature(SECRET, id, seconds, body).toString('base64')}`
      if (headers['webhook-signature'] !== expected) return 'signature'
      if (!isNow(seconds)) return 'time'
      const { data, type } = JSON.parse(body)
      if (data.id !== id || !isNumber(data.to)) return `data ${body}`
      return {
        answerUrl: undefined,
        from: data.from,
        kind: type === 'call.send' ? 'call' : 'sms',
        media: data.mediaUrls ?? [],
        statusUrl: data.statusUrl,
        text: data.text,
        to: data.to
      }
    },
    taken: ref => ({ body: { id: ref }, status: 200 })
  }
}

const json = (response: ServerResponse, { body, status }: Fault, headers = {}): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body))

/** Answers by the last digits of the number. @returns true if the request is answered, or never will be */
function act(to: string, response: ServerResponse, { fault }: Spec): boolean {
  const digits = Number(to.slice(-4))
  const status = digits % 1000
  const html = (code: number) =>
    response.writeHead(code, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
  if (digits === 1) return true
  if (digits === 2) return (response.socket!.resetAndDestroy(), true)
  if (digits === 3) {
    // One byte at a time, without an end.
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 50)
    response.once('close', () => clearInterval(timer))
    return true
  }
  if (digits === 4) return (response.writeHead(200, { 'content-length': 1_000_000_000 }).write('{'), true)
  if (digits >= 9000) return (html(status), true)
  if (digits < 200 || status < 200 || status > 599 || digits >= 1000) return false
  json(response, { body: fault(status), status }, [429, 503].includes(status) ? { 'retry-after': '3' } : {})
  return true
}

export async function phonePeer(name: PhoneProviderName): Promise<PhonePeer> {
  const spec = SPECS[name]
  const accepted: AcceptedMessage[] = []
  const faults: string[] = []
  const state = { down: false }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (state.down) return json(response, { body: spec.fault(401), status: 401 })
    const parsed = spec.read(request, body)
    if (typeof parsed === 'string') {
      faults.push(parsed)
      return json(response, { body: spec.fault(401), status: 401 })
    }
    // Recorded even if the answer is lost.
    const ref = `${name}-${accepted.length + 1}`
    if (act(parsed.to, response, spec)) {
      if (/000[1-4]$/.test(parsed.to)) accepted.push({ ...parsed, raw: body, ref })
      return undefined
    }
    accepted.push({ ...parsed, raw: body, ref })
    return json(response, spec.taken(ref, parsed.kind))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    },
    env: { ...spec.env(url), NOTIF_PUBLIC_URL: 'https://notify.example.com', NOTIF_SMS_FROM: FROM },
    accepted,
    url,
    faults
  })
}
