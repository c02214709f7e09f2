// Short messages between nodes: LISTEN and NOTIFY on one connection of their own.
//
// What is said while the connection is away is lost, and so is now and then a message that seemed to be sent. Whoever
// listens must live with that; `ready` says when to look for what may have been missed.

import { randomBytes } from 'node:crypto'

import type { Log } from '../core/log.ts'
import { connect } from './connect.ts'
import type { Sql } from './db.ts'

export interface ListenOptions {
  /** Of a direct connection, not of a pooler. */
  readonly url: string
  readonly channel: string
  readonly log: Log
  readonly heard: (payload: string) => void
  /** Listening from now on, for the first time or again. */
  readonly ready: () => void
  /** Milliseconds between two messages to itself; silence for twice as long means that the line is dead. Default 5,000. */
  readonly echo?: number
}

export interface Line {
  /** To every node that listens, this one too. Up to 7,999 bytes; lost when the line is down. */
  notify(payload: string): void
  close(): Promise<void>
}

/** Milliseconds: the first wait before dialling again, and the longest. */
const FIRST_WAIT = 100
const LONGEST_WAIT = 5_000

export function openLine({ url, channel, log, heard, ready, echo = 5_000 }: ListenOptions): Line {
  const own = `notif_echo_${randomBytes(8).toString('hex')}`
  let current: Sql | undefined
  let heardAt = 0
  let tries = 0
  let closed = false
  let redial: NodeJS.Timeout | undefined

  const dial = async (): Promise<void> => {
    redial = undefined
    let mine: Sql | undefined
    const lost = () => {
      if (mine !== undefined && mine === current) hangUp('it was closed')
    }
    const options = {
      connect_timeout: 10,
      connection: { application_name: 'notif-kit listen' },
      fetch_types: false,
      idle_timeout: 0,
      max: 1,
      max_lifetime: null,
      onclose: lost,
      onnotice: () => {},
      onnotify(name: string, payload: string) {
        if (mine !== current) return
        heardAt = performance.now()
        if (name === channel) heard(payload)
      }
    }
    mine = connect(url, options)
    current = mine
    heardAt = performance.now()
    try {
      await mine.unsafe(`listen "${channel}"`)
      await mine.unsafe(`listen "${own}"`)
    } catch (error) {
      if (mine === current) hangUp('it could not be opened', error)
      return
    }
    if (mine !== current) return
    tries = 0
    heardAt = performance.now()
    ready()
  }

  /** Ends the connection and dials again after a while. */
  const hangUp = (why: string, error?: unknown): void => {
    const old = current
    current = undefined
    // Its queries fail with it; nobody waits for them.
    old?.end({ timeout: 0 }).catch(() => {})
    if (closed || redial) return
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries) * (0.5 + Math.random())
    tries += 1
    log.warn({ err: error, why }, 'the line between nodes is down, dialling again')
    redial = setTimeout(() => void dial(), wait)
    redial.unref()
  }

  const say = (name: string, payload: string): void => {
    const line = current
    if (!line) return
    line`select pg_notify(${name}, ${payload})`.catch((error: unknown) => {
      if (line === current) hangUp('a message could not be sent', error)
    })
  }

  const pulse = setInterval(() => {
    if (!current) return
    if (performance.now() - heardAt > 2 * echo) hangUp('nothing was heard')
    else say(own, '')
  }, echo)
  pulse.unref()
  void dial()

  return {
    async close() {
      closed = true
      clearInterval(pulse)
      clearTimeout(redial)
      const old = current
      current = undefined
      await old?.end({ timeout: 1 }).catch(() => {})
    },
    notify(payload) {
      say(channel, payload)
    }
  }
}
