// Secrets at rest: AES-256-GCM under the key of the installation, which never stands in the database.

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject
} from 'node:crypto'

export interface Encryption {
  /** Tells keys apart and says nothing about them; 16 hex digits. */
  readonly keyId: string
  /** @param place - what it is the secret of: sealed for one place, it does not open at another */
  encrypt(secret: string, place: string): Buffer
  /** @throws Error for what was sealed with a key that is not at hand, for another place, or was altered */
  decrypt(sealed: Uint8Array, place: string): string
  /** Where a secret would be too long: 32 bytes that only we can make of a text, of which the first few may do. */
  sign(text: string, place: string): Buffer
  /** @param signature - the first bytes of it, made with any key that is at hand */
  signed(text: string, place: string, signature: Uint8Array): boolean
}

const ID = 8
const IV = 12
const TAG = 16

/** Objects, because bytes are made one for each use, which takes longer than what they are used for. */
interface Key {
  readonly id: Buffer
  readonly sealing: KeyObject
  /** Another one, for signatures: no key serves two ends. */
  readonly signing: KeyObject
}

const signatureOf = ({ signing }: Key, text: string, place: string): Buffer =>
  createHmac('sha256', signing).update(`${place}\0${text}`).digest()

function keyOf(text: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', text, '', 'notif-kit secrets at rest', 32))
  const id = createHash('sha256').update('notif-kit key id').update(bytes).digest().subarray(0, ID)
  const signing = Buffer.from(hkdfSync('sha256', text, '', 'notif-kit signatures', 32))
  return { id, sealing: createSecretKey(bytes), signing: createSecretKey(signing) }
}

/**
 * A sealed secret is: id of the key, nonce, tag, ciphertext.
 *
 * @param current - text of the key that seals and opens
 * @param previous - one that only opens
 */
export function createEncryption(current: string, previous?: string): Encryption {
  const own = keyOf(current)
  const keys = previous === undefined ? [own] : [own, keyOf(previous)]
  return {
    keyId: own.id.toString('hex'),
    decrypt(sealed, place) {
      const bytes = Buffer.from(sealed)
      const key = keys.find(({ id }) => id.equals(bytes.subarray(0, ID)))
      if (!key)
        throw new Error(`The secret of ${place} was encrypted with a key that this process does not have.`)
      const nonce = bytes.subarray(ID, ID + IV)
      const opener = createDecipheriv('aes-256-gcm', key.sealing, nonce, { authTagLength: TAG })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(ID + IV, ID + IV + TAG))
      return opener.update(bytes.subarray(ID + IV + TAG), undefined, 'utf8') + opener.final('utf8')
    },
    encrypt(secret, place) {
      const nonce = randomBytes(IV)
      const sealer = createCipheriv('aes-256-gcm', own.sealing, nonce, { authTagLength: TAG }).setAAD(
        Buffer.from(place)
      )
      const text = Buffer.concat([sealer.update(secret, 'utf8'), sealer.final()])
      return Buffer.concat([own.id, nonce, sealer.getAuthTag(), text])
    },
    sign: (text, place) => signatureOf(own, text, place),
    signed: (text, place, signature) =>
      signature.length > 0 &&
      keys.some(key =>
        timingSafeEqual(signatureOf(key, text, place).subarray(0, signature.length), signature)
      )
  }
}
