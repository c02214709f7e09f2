// Push messages are small: a text that is too long is cut rather than lost.

import type { DeliveryNote } from '../channel.ts'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * The longest beginning of a text with which the whole fits, with an ellipsis where something is missing; never half
 * a character.
 *
 * @param bytesWith - bytes of the whole message with this text
 * @returns undefined where not even the empty text fits
 */
export function fit(text: string, limit: number, bytesWith: (text: string) => number): string | undefined {
  if (bytesWith(text) <= limit) return text
  if (bytesWith('') > limit) return undefined
  // What fits cannot be longer than the limit, and only that much is looked at.
  const ends = [...graphemes.segment(text.slice(0, limit))].map(({ index }) => index)
  const cut = (end: number): string => `${text.slice(0, end).trimEnd()}…`
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (bytesWith(cut(ends[middle]!)) <= limit) low = middle + 1
    else high = middle
  }
  return low === 0 ? '' : cut(ends[low - 1]!)
}

const lengthOf = (text: string): number => [...text].length

/**
 * @param fitting - what {@link fit} made of it
 * @returns undefined where nothing is missing
 */
export function cutNote(text: string, fitting: string, limit: number): DeliveryNote | undefined {
  if (fitting === text) return undefined
  const left = lengthOf(fitting) - (fitting === '' ? 0 : 1)
  const detail = `The text was cut to ${left} of its ${lengthOf(text)} characters, to fit into ${limit} bytes.`
  return { code: 'text-cut', detail }
}
