// Structured logs: one JSON line per event on stdout, with secrets masked.

import { destination, pino, stdTimeFunctions, type Logger } from 'pino'

export type Log = Logger

/**
 * Writes lines in batches (4,000 bytes or 100 ms), because one write per line costs too much CPU. Exit and crash handlers flush
 * the rest. Larger batches cost more memory, because the writer measures its whole buffer at each line.
 */
const BUFFER = { dest: 1, maxWrite: 4096, minLength: 4000, periodicFlush: 100, sync: false }

/** @param level - trace, debug, info, warn, error, fatal, silent */
export const createLog = (level: string): Log =>
  pino(
    {
      level,
      name: 'notif-kit',
      redact: {
        censor: '[secret]',
        paths: [
          'secret',
          'password',
          'authorization',
          'userHash',
          '*.secret',
          '*.password',
          '*.authorization',
          '*.userHash'
        ]
      },
      timestamp: stdTimeFunctions.isoTime
    },
    destination(BUFFER)
  )

const MAX_CLIENT_TEXT_CHARACTERS = 100

/** Returns a text that a client chose, cut and escaped for a log line: invisible characters could forge or hide other text. */
export function toLogText(text: string, maxCharacters = MAX_CLIENT_TEXT_CHARACTERS): string {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}...` : text
  return cut.replaceAll(/[^ -~]/gu, sign => `\\u{${sign.codePointAt(0)!.toString(16)}}`)
}

/** Bounds the work for one pointer. */
const MAX_POINTER_CHARACTERS = 1000

/** A key of a JSON pointer that may be an address or a number of a user. */
const CONTACT = /@|%40|\d{6}/i

/** Returns a JSON pointer for a log line: as {@link toLogText}, and without keys that look like contact data. */
export const toLogPointer = (pointer: string): string =>
  toLogText(
    pointer
      .slice(0, MAX_POINTER_CHARACTERS)
      .split('/')
      .map(key => (CONTACT.test(key) ? '*' : key))
      .join('/')
  )
