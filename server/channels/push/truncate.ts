// Truncates the text of a push message to the size limit of its service, instead of losing the message.

import type { MessageResult } from '../channel.ts'
import { rejectMessage } from '../content.ts'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Returns the longest beginning of the text that fits, with an ellipsis if it is truncated. Never splits a character.
 *
 * @param measureBytes - size of the whole message with a text
 * @returns the text, with a note for the log if it is truncated; not `ok` if not even the empty text fits
 */
export function truncateText(
  text: string,
  maxBytes: number,
  measureBytes: (text: string) => number
): MessageResult<string> {
  if (measureBytes(text) <= maxBytes) return { message: text, ok: true }
  if (measureBytes('') > maxBytes) {
    return rejectMessage('too-large', `Without its text the message has more than ${maxBytes} bytes.`)
  }
  // A text that fits has at most this many characters.
  const ends = [...graphemes.segment(text.slice(0, maxBytes))].map(({ index }) => index)
  const cutAt = (end: number): string => text.slice(0, end).trimEnd()
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (measureBytes(`${cutAt(ends[middle]!)}…`) <= maxBytes) low = middle + 1
    else high = middle
  }
  const kept = low === 0 ? undefined : cutAt(ends[low - 1]!)
  const detail = `The text was cut to ${countCharacters(kept ?? '')} of its ${countCharacters(text)} characters, to fit into ${maxBytes} bytes.`
  return { message: kept === undefined ? '' : `${kept}…`, note: { code: 'text-cut', detail }, ok: true }
}

const countCharacters = (text: string): number => [...text].length
