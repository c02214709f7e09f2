// The probes of this process: asked at start, once a day, and when the mail server is well again; told in the log where
// they say something new, at /readyz and in /metrics. Nothing waits for them.

import { resolveTxt } from 'node:dns/promises'

import type { Config } from '../../../config/config.ts'
import { dkimSignature } from '../../../config/email.ts'
import type { Log } from '../../../core/log.ts'
import { probeDkim, type ResolveTxt } from './dkim.ts'
import type { Probe } from './probe.ts'
import { probeSmtp } from './smtp-probe.ts'

type MailSettings = Pick<Config, 'dkimDomain' | 'dkimKey' | 'dkimSelector' | 'smtpUrl'>

/** Without a mail server there is nothing to try: mail stays in the sandbox. */
export async function probeMail(config: MailSettings, resolve: ResolveTxt = resolveTxt): Promise<Probe[]> {
  if (config.smtpUrl === undefined) return []
  const dkim = dkimSignature(config)
  return Promise.all([probeSmtp(config.smtpUrl), ...(dkim ? [probeDkim(dkim, resolve)] : [])])
}

/** Milliseconds: keys of the DNS and passwords change while we run. */
const DAY = 86_400_000

export interface Probes {
  /** What is known by now. */
  known(): readonly Probe[]
  /** Asks again, soon: something has changed. */
  again(): void
  close(): void
}

interface ProbesOptions {
  readonly config: MailSettings
  readonly log: Pick<Log, 'error' | 'info' | 'warn'>
  /** Default: that of the system. */
  readonly resolve?: ResolveTxt
  /** Milliseconds from one asking to the next. Default: a day. */
  readonly every?: number
}

export function startProbes({ config, every = DAY, log, resolve }: ProbesOptions): Probes {
  let known: readonly Probe[] = []
  let asking = false
  let onceMore = false
  const ask = async (): Promise<void> => {
    const before = new Set(known.map(({ words }) => words))
    known = await probeMail(config, resolve)
    for (const { probe, state, words } of known.filter(one => !before.has(one.words))) {
      log[state === 'ok' ? 'info' : state === 'warning' ? 'warn' : 'error']({ probe }, words)
    }
  }
  const again = (): void => {
    // An answer that is under way may be of before.
    onceMore = asking
    if (asking) return
    asking = true
    ask()
      .catch((error: unknown) => log.error({ err: error }, 'The probes of e-mail crashed'))
      .finally(() => {
        asking = false
        if (onceMore) again()
      })
  }
  again()
  const timer = setInterval(again, every).unref()
  return { again, close: () => clearInterval(timer), known: () => known }
}
