// Structured logs: one JSON line per event on stdout, secrets never in them.

import { destination, pino, stdTimeFunctions, type Logger } from 'pino'

export type Log = Logger

/** Lines are written together: a write for each cost a third of a request's CPU. Ends and crashes write the rest. */
const BUFFER = { dest: 1, maxWrite: 65_536, minLength: 32_768, periodicFlush: 100, sync: false }

/**
 * @param level - trace, debug, info, warn, error, fatal, silent
 * @param name - role of the process, in every line
 */
export const createLog = (level: string, name = 'notif-kit'): Log =>
  pino(
    {
      level,
      name,
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
