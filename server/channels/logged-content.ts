// Bounds what the log keeps of a message, because a day of the log has as many texts as messages.

import type { MessageContent } from '../queue/outcome.ts'

/** Bytes of a text in the log, as UTF-8. A longer text is cut. */
export const MAX_LOGGED_TEXT_BYTES = 1000
/** Likewise of the subject of an email, or the title of a push. */
export const MAX_LOGGED_SUBJECT_BYTES = 200

const encoder = new TextEncoder()

/** @returns the text, or its beginning and an ellipsis. No character is split */
function cut(text: string, maxBytes: number): string {
  // A UTF-16 unit has at most three bytes in UTF-8.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes - '…'.length * 3))
  return `${text.slice(0, read)}…`
}

export const boundContent = ({ subject = '', text }: MessageContent): MessageContent => ({
  ...(subject !== '' && { subject: cut(subject, MAX_LOGGED_SUBJECT_BYTES) }),
  text: cut(text, MAX_LOGGED_TEXT_BYTES)
})
