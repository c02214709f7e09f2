// Counts the segments of an SMS: in the 7-bit alphabet of GSM if that has all characters, else in UTF-16 (3GPP TS 23.038).

const BASIC_CHARACTERS = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
)
/** Sent behind an escape, so each takes two units. */
const EXTENDED_CHARACTERS = new Set('\f^{}\\[~]|€')

/** Providers charge for each segment. */
const MAX_SEGMENTS = 10

export interface Segments {
  readonly encoding: 'GSM-7' | 'UCS-2'
  readonly count: number
}

/** Units of a message with one segment, and of each segment of a longer one, which has a header. */
const SEGMENT_UNITS = { 'GSM-7': [160, 153], 'UCS-2': [70, 67] } as const

/** An empty text has one segment. */
export function countSegments(text: string): Segments {
  const characters = [...text]
  const isGsm = characters.every(char => BASIC_CHARACTERS.has(char) || EXTENDED_CHARACTERS.has(char))
  const encoding = isGsm ? 'GSM-7' : 'UCS-2'
  const units = characters.map(char => (isGsm ? (BASIC_CHARACTERS.has(char) ? 1 : 2) : char.length))
  const [maxSingle, maxPart] = SEGMENT_UNITS[encoding]
  if (units.reduce((sum, size) => sum + size, 0) <= maxSingle) return { count: 1, encoding }
  let count = 1
  let used = 0
  // A character of two units is never split between segments.
  for (const size of units) {
    if (used + size > maxPart) {
      count += 1
      used = 0
    }
    used += size
  }
  return { count, encoding }
}

/** Every text with at most so many UTF-16 units fits: a segment holds 67 of them, or 66 before a character that is not split. */
const MAX_SURE_UNITS = MAX_SEGMENTS * 66

/** @returns how far the text exceeds the limit of segments; undefined if it fits */
export function describeTooLongSms(text: string): string | undefined {
  if (text.length <= MAX_SURE_UNITS) return undefined
  const { count } = countSegments(text)
  return count > MAX_SEGMENTS
    ? `The message has ${count} segments; at most ${MAX_SEGMENTS} are allowed.`
    : undefined
}
