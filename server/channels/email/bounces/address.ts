// The envelope sender of a mail (VERP): bounces come to an address that says which send they are about. It is signed, so
// that nobody can make one, and names nobody.

import type { Config } from '../../../config/config.ts'
import { isTrackingId } from '../../../core/id.ts'
import type { Encryption } from '../../../environments/encryption/encryption.ts'

const MAC = 'bounce address'
const MARK = 'bounce recipient'

/** Bytes of a tracking id, of what tells recipients apart, and of the signature: 61 letters of the 64 that may be. */
const [ID, RECIPIENT, SIGNATURE] = [16, 3, 8]

/** Addresses are compared in lower case: what a report repeats may have lost its capitals on the way. */
const markOf = (encryption: Encryption, sendId: string, to: string): Buffer =>
  encryption.sign(`${sendId} ${to.toLowerCase()}`, MARK).subarray(0, RECIPIENT)

/** @returns undefined where no domain takes bounces */
export const returnPathOf =
  (encryption: Encryption, { bounceDomain }: Pick<Config, 'bounceDomain'>) =>
  (sendId: string, to: string): string | undefined => {
    if (bounceDomain === undefined) return undefined
    const said = Buffer.concat([
      Buffer.from(sendId.replaceAll('-', ''), 'hex'),
      markOf(encryption, sendId, to)
    ])
    const signature = encryption.sign(said.toString('hex'), MAC).subarray(0, SIGNATURE)
    return `bounce+${Buffer.concat([said, signature]).toString('hex')}@${bounceDomain}`
  }

export type ReturnPathOf = ReturnType<typeof returnPathOf>

export interface Returned {
  /** Tracking id. */
  readonly sendId: string
  /** Whether the mail was written to this address: its copies have others. */
  isFor(address: string): boolean
}

const TOKEN = new RegExp(`bounce\\+([0-9a-f]{${2 * (ID + RECIPIENT + SIGNATURE)}})@`, 'gi')

/** Of the addresses in a text the first one that we have made. */
export function returnedIn(encryption: Encryption, text: string): Returned | undefined {
  for (const [, token = ''] of text.matchAll(TOKEN)) {
    const bytes = Buffer.from(token, 'hex')
    const [said, signature] = [bytes.subarray(0, ID + RECIPIENT), bytes.subarray(ID + RECIPIENT)]
    if (!encryption.verify(said.toString('hex'), MAC, signature)) continue
    const sendId = said.toString('hex', 0, ID).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    if (!isTrackingId(sendId)) continue
    const mark = said.subarray(ID)
    const isFor = (address: string): boolean =>
      encryption.verify(`${sendId} ${address.toLowerCase()}`, MARK, mark)
    return { isFor, sendId }
  }
  return undefined
}
