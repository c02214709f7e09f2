// The return path of an email (VERP): a signed address that tells which send a bounce is about, without the recipient's address.

import type { Config } from '../../../config/config.ts'
import { isTrackingId } from '../../../core/id.ts'
import type { Encryption } from '../../../environments/encryption/encryption.ts'

const ADDRESS_PURPOSE = 'bounce address'
const RECIPIENT_PURPOSE = 'bounce recipient'

/** Tracking id, hash of the recipient, and signature: 61 characters of the 64 that a local part may have (RFC 5321, 4.5.3.1.1). */
const [ID_BYTES, RECIPIENT_BYTES, SIGNATURE_BYTES] = [16, 3, 8]

/** In lower case, because mail servers may change the case of an address that a report repeats. */
const recipientText = (sendId: string, to: string): string => `${sendId} ${to.toLowerCase()}`

/** @returns a function that returns undefined if no domain is configured for bounces */
export const createReturnPaths =
  (encryption: Encryption, { bounceDomain }: Pick<Config, 'bounceDomain'>) =>
  (sendId: string, to: string): string | undefined => {
    if (bounceDomain === undefined) return undefined
    const recipient = encryption.sign(recipientText(sendId, to), RECIPIENT_PURPOSE)
    const content = Buffer.concat([
      Buffer.from(sendId.replaceAll('-', ''), 'hex'),
      recipient.subarray(0, RECIPIENT_BYTES)
    ])
    const signature = encryption.sign(content.toString('hex'), ADDRESS_PURPOSE).subarray(0, SIGNATURE_BYTES)
    return `bounce+${Buffer.concat([content, signature]).toString('hex')}@${bounceDomain}`
  }

export type BuildReturnPath = ReturnType<typeof createReturnPaths>

export interface ReturnPath {
  /** Tracking id. */
  readonly sendId: string
  /** Whether the email was sent to this address. Its copies have other addresses. */
  isFor(address: string): boolean
}

const TOKEN = new RegExp(`bounce\\+([0-9a-f]{${2 * (ID_BYTES + RECIPIENT_BYTES + SIGNATURE_BYTES)}})@`, 'gi')

/** Returns the first address in a text that this server has signed. */
export function findReturnPath(encryption: Encryption, text: string): ReturnPath | undefined {
  for (const [, token = ''] of text.matchAll(TOKEN)) {
    const bytes = Buffer.from(token, 'hex')
    const content = bytes.subarray(0, ID_BYTES + RECIPIENT_BYTES)
    const signature = bytes.subarray(ID_BYTES + RECIPIENT_BYTES)
    if (!encryption.verify(content.toString('hex'), ADDRESS_PURPOSE, signature)) continue
    const id = content.toString('hex', 0, ID_BYTES)
    const sendId = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    if (!isTrackingId(sendId)) continue
    const recipient = content.subarray(ID_BYTES)
    return {
      isFor: address => encryption.verify(recipientText(sendId, address), RECIPIENT_PURPOSE, recipient),
      sendId
    }
  }
  return undefined
}
