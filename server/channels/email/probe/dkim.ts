// Whether the DNS tells everybody the key that our mails are signed with (RFC 6376, 3.6).

import { createPrivateKey, createPublicKey } from 'node:crypto'

import type { DkimKey } from '../../../config/email.ts'
import type { Probe } from './probe.ts'

/** As in node:dns/promises: the texts of a name, each in its pieces. */
export type ResolveTxt = (name: string) => Promise<string[][]>

const NOTHING = new Set(['ENOTFOUND', 'ENODATA'])

export async function probeDkim(
  { domainName, keySelector, privateKey }: DkimKey,
  resolve: ResolveTxt
): Promise<Probe> {
  const name = `${keySelector}._domainkey.${domainName}`
  const warning = (words: string): Probe => ({ probe: 'dkim', state: 'warning', words })
  const spki = createPublicKey(createPrivateKey(privateKey)).export({ format: 'der', type: 'spki' })
  const own = spki.toString('base64')
  let texts: string[]
  try {
    texts = (await resolve(name)).map(pieces => pieces.join(''))
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return NOTHING.has(code)
      ? warning(
          `There is no TXT record ${name}: receivers take the signature for a forged one. Add: v=DKIM1; k=rsa; p=${own}`
        )
      : warning(`The DNS did not tell the TXT record ${name} (${code}), so the key is unchecked.`)
  }
  const published = texts.map(tagsIn).filter(tags => tags.has('p'))
  if (published.some(tags => tags.get('p') === own)) {
    return {
      probe: 'dkim',
      state: 'ok',
      words: `The TXT record ${name} has the key that mails are signed with.`
    }
  }
  const [tags] = published
  if (!tags) return warning(`The TXT record ${name} holds no key. It should be: v=DKIM1; k=rsa; p=${own}`)
  return tags.get('p') === ''
    ? warning(`The TXT record ${name} says that its key is revoked.`)
    : warning(
        `The TXT record ${name} has another key than NOTIF_DKIM_KEY. It should be: v=DKIM1; k=rsa; p=${own}`
      )
}

/** `v=DKIM1; p=...`, with white space anywhere. */
const tagsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(';').flatMap(tag => {
      const [, name, value] = /^\s*(\w+)\s*=([^]*)$/.exec(tag) ?? []
      return name === undefined ? [] : [[name, value!.replaceAll(/\s+/g, '')] as const]
    })
  )
