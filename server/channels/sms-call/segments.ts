// How many segments an SMS has: 7-bit letters of GSM 03.38 where they suffice, else UTF-16 (3GPP TS 23.038).

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
)
/** Letters behind an escape: two places each. */
const EXTENDED = new Set('\f^{}\\[~]|€')

export interface Segments {
  readonly encoding: 'GSM-7' | 'UCS-2'
  readonly count: number
}

/** Places of one message alone, and of each part of a longer one, which gives some to its header. */
const ROOM = { 'GSM-7': [160, 153], 'UCS-2': [70, 67] } as const

/** @returns how a text travels; an empty one is one segment */
export function segmentsOf(text: string): Segments {
  const letters = [...text]
  const encoding = letters.every(one => BASIC.has(one) || EXTENDED.has(one)) ? 'GSM-7' : 'UCS-2'
  // A letter of two places is never cut by the end of a segment.
  const places = letters.map(one => (encoding === 'UCS-2' ? one.length : BASIC.has(one) ? 1 : 2))
  const [alone, part] = ROOM[encoding]
  if (places.reduce((sum, one) => sum + one, 0) <= alone) return { count: 1, encoding }
  let count = 1
  let used = 0
  for (const place of places) {
    if (used + place > part) {
      count += 1
      used = 0
    }
    used += place
  }
  return { count, encoding }
}
