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
