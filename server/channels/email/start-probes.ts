// Repeats the probes of email: at the start, daily (a failed one every ten minutes), and when the queue continues after a pause. Logs results that have changed.

import { resolveTxt } from 'node:dns/promises'

import type { Log } from '../../core/log.ts'
import { probeEmail, type EmailSettings, type Probe, type ResolveTxt } from './probe.ts'

/** DNS records and passwords may change while the process runs. */
const PROBE_INTERVAL_MS = 86_400_000
/** A mail server that was down at the start is back soon, and `/readyz` has to say so. */
const FAILED_INTERVAL_MS = 600_000

export interface Probes {
  /** Returns the last results. */
  results(): readonly Probe[]
  /** Starts another probe, after a running one. */
  repeat(): void
  close(): void
}

interface ProbesOptions {
  readonly config: EmailSettings
  readonly log: Pick<Log, 'error' | 'info' | 'warn'>
  /** Default: the resolver of the system. */
  readonly resolve?: ResolveTxt
  /** Default: a day. */
  readonly intervalMs?: number
  /** After a failed probe. Default: ten minutes. */
  readonly failedIntervalMs?: number
}

const LOG_LEVELS = { failed: 'error', ok: 'info', warning: 'warn' } as const

export function startProbes({
  config,
  failedIntervalMs = FAILED_INTERVAL_MS,
  intervalMs = PROBE_INTERVAL_MS,
  log,
  resolve = resolveTxt
}: ProbesOptions): Probes {
  let results: readonly Probe[] = []
  let isRunning = false
  let shouldRepeat = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  const probe = async (): Promise<void> => {
    const before = new Set(results.map(({ detail }) => detail))
    results = await probeEmail(config, resolve)
    for (const { probe: name, state, detail } of results.filter(result => !before.has(result.detail))) {
      log[LOG_LEVELS[state]]({ component: 'email', event: 'email_probed', probe: name }, detail)
    }
  }
  const repeat = (): void => {
    // A running probe may have asked before the change.
    shouldRepeat = isRunning
    if (isRunning) return
    isRunning = true
    clearTimeout(timer)
    probe()
      .catch((err: unknown) =>
        log.error(
          { component: 'email', err, event: 'email_probe_failed' },
          'code of the email probes threw an error; the probes run again later'
        )
      )
      .finally(() => {
        isRunning = false
        if (isClosed) return
        if (shouldRepeat) return repeat()
        const hasFailed = results.some(({ state }) => state === 'failed')
        timer = setTimeout(repeat, hasFailed ? failedIntervalMs : intervalMs).unref()
      })
  }
  repeat()
  const close = (): void => {
    isClosed = true
    clearTimeout(timer)
  }
  return { close, repeat, results: () => results }
}
