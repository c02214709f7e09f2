// Callbacks of the providers of SMS and calls with their signatures, written from their documentation, not from the code under test.

import { createHash, createHmac, randomUUID } from 'node:crypto'

import type { PhoneProviderName } from '../../../server/config/phone.ts'
import { SECRET, SIGNATURE_SECRET, TOKEN } from './phone-peer.ts'

export interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Said {
  readonly kind: 'sms' | 'call' | 'inbound'
  readonly ref: string
  readonly good?: boolean
  readonly from?: string
  readonly text?: string
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }
const digits = (number = ''): string => number.slice(1)

function twilio(url: string, { from = '', good = true, kind, ref, text = '' }: Said): Posted {
  const fields: Record<string, string> =
    kind === 'inbound'
      ? { Body: text, From: from, MessageSid: ref, To: '+12025550100' }
      : kind === 'call'
        ? { CallSid: ref, CallStatus: good ? 'completed' : 'busy' }
        : {
            MessageSid: ref,
            MessageStatus: good ? 'delivered' : 'undelivered',
            ...(!good && { ErrorCode: '30005' })
          }
  let data = url
  for (const name of Object.keys(fields).sort()) data += name + fields[name]
  const signature = createHmac('sha1', TOKEN).update(data, 'utf8').digest('base64')
  return {
    body: new URLSearchParams(fields).toString(),
    headers: { ...FORM, 'x-twilio-signature': signature }
  }
}

function plivo(url: string, { from, good = true, kind, ref, text = '' }: Said): Posted {
  const fields: Record<string, string> =
    kind === 'inbound'
      ? { From: digits(from), MessageUUID: ref, Text: text, To: '12025550100', Type: 'sms' }
      : kind === 'call'
        ? { CallStatus: good ? 'completed' : 'busy', CallUUID: 'c', RequestUUID: ref }
        : { ErrorCode: good ? '000' : '200', MessageUUID: ref, Status: good ? 'delivered' : 'undelivered' }
  const nonce = randomUUID()
  const body = new URLSearchParams(fields).toString()
  if (kind !== 'call') {
    const signature = createHmac('sha256', TOKEN)
      .update(url + nonce)
      .digest('base64')
    return {
      body,
      headers: { ...FORM, 'x-plivo-signature-v2': signature, 'x-plivo-signature-v2-nonce': nonce }
    }
  }
  let data = `${url}?`
  for (const name of Object.keys(fields).sort()) data += name + fields[name]
  const signature = createHmac('sha256', TOKEN).update(`${data}.${nonce}`).digest('base64')
  return {
    body,
    headers: { ...FORM, 'x-plivo-signature-v3': `x,${signature}`, 'x-plivo-signature-v3-nonce': nonce }
  }
}

function vonage(_url: string, { from, good = true, kind, ref, text }: Said, at = Date.now()): Posted {
  const body = JSON.stringify(
    kind === 'inbound'
      ? {
          channel: 'sms',
          from: digits(from),
          message_type: 'text',
          message_uuid: ref,
          text,
          to: '12025550100'
        }
      : kind === 'call'
        ? { direction: 'outbound', status: good ? 'completed' : 'busy', uuid: ref }
        : {
            channel: 'sms',
            message_uuid: ref,
            status: good ? 'delivered' : 'rejected',
            ...(!good && { error: { detail: 'Blocked.', type: 'https://x.test/errors#1260' } })
          }
  )
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    api_key: 'key',
    iat: Math.floor(at / 1000),
    iss: 'Vonage',
    jti: randomUUID(),
    payload_hash: createHash('sha256').update(body).digest('hex')
  }
  const data = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  const signature = createHmac('sha256', SIGNATURE_SECRET).update(data).digest('base64url')
  return { body, headers: { ...JSON_TYPE, authorization: `Bearer ${data}.${signature}` } }
}

function webhook(_url: string, { from, good = true, kind, ref, text }: Said, at = Date.now()): Posted {
  const type = kind === 'inbound' ? 'sms.inbound' : `${kind}.${good ? 'delivered' : 'failed'}`
  const body = JSON.stringify({ data: { code: good ? undefined : 'absent', from, id: ref, text }, type })
  const seconds = String(Math.floor(at / 1000))
  const id = `msg_${randomUUID()}`
  const signature = createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
    .update(`${id}.${seconds}.${body}`)
    .digest('base64')
  return {
    body,
    headers: {
      ...JSON_TYPE,
      'webhook-id': id,
      'webhook-signature': `v1,AAAA v1,${signature}`,
      'webhook-timestamp': seconds
    }
  }
}

export const REPORTS: Readonly<Record<PhoneProviderName, (url: string, said: Said, at?: number) => Posted>> =
  { plivo, twilio, vonage, webhook }
