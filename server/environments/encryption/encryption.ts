// Encrypts secrets with AES-256-GCM, and signs texts, with keys that the database never holds.

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
  /** Identifies the current key without revealing it; 16 hex digits. */
  readonly keyId: string
  /** @param purpose - what the secret is for; it can be decrypted only with the same purpose */
  encrypt(secret: string, purpose: string): Buffer
  /** @throws Error for an unknown key, another purpose, or an altered ciphertext */
  decrypt(ciphertext: Uint8Array, purpose: string): string
  /** Signs a text with 32 bytes (HMAC-SHA256), of which a caller may use only the first ones. */
  sign(text: string, purpose: string): Buffer
  /** @param signature - any number of first bytes, made with the current or the previous key */
  verify(text: string, purpose: string, signature: Uint8Array): boolean
}

const ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = ID_BYTES + NONCE_BYTES + TAG_BYTES

/** Key objects, because Node would convert raw bytes to a key at every use, which costs more than the use. */
interface Key {
  readonly id: Buffer
  readonly encryption: KeyObject
  /** Another key, because no key should serve two purposes. */
  readonly signature: KeyObject
}

const signWith = ({ signature }: Key, text: string, purpose: string): Buffer =>
  createHmac('sha256', signature).update(`${purpose}\0${text}`).digest()

function deriveKey(text: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', text, '', 'notif-kit secrets at rest', 32))
  const id = createHash('sha256').update('notif-kit key id').update(bytes).digest().subarray(0, ID_BYTES)
  const signature = Buffer.from(hkdfSync('sha256', text, '', 'notif-kit signatures', 32))
  return { encryption: createSecretKey(bytes), id, signature: createSecretKey(signature) }
}

/**
 * Creates the encryption. A stored secret consists of key id, nonce, tag and ciphertext.
 *
 * @param current - text of the key that encrypts and decrypts
 * @param previous - text of a key that only decrypts
 */
export function createEncryption(current: string, previous?: string): Encryption {
  const own = deriveKey(current)
  const keys = previous === undefined ? [own] : [own, deriveKey(previous)]
  return {
    keyId: own.id.toString('hex'),
    decrypt(ciphertext, purpose) {
      const bytes = Buffer.from(ciphertext)
      const key = keys.find(({ id }) => id.equals(bytes.subarray(0, ID_BYTES)))
      if (!key)
        throw new Error(`The secret of ${purpose} was encrypted with a key that this process does not have.`)
      const nonce = bytes.subarray(ID_BYTES, ID_BYTES + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key.encryption, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(ID_BYTES + NONCE_BYTES, HEADER_BYTES))
      return decipher.update(bytes.subarray(HEADER_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
    encrypt(secret, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', own.encryption, nonce, {
        authTagLength: TAG_BYTES
      }).setAAD(Buffer.from(purpose))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([own.id, nonce, cipher.getAuthTag(), text])
    },
    sign: (text, purpose) => signWith(own, text, purpose),
    verify: (text, purpose, signature) =>
      signature.length > 0 &&
      keys.some(key => timingSafeEqual(signWith(key, text, purpose).subarray(0, signature.length), signature))
  }
}
