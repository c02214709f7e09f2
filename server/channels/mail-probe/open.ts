// The probes of this process: asked at start, told in the log and at /readyz. Nothing waits for them.

import { resolveTxt } from 'node:dns/promises'

import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import { dkimOf } from '../../config/mail.ts'
import { probeDkim, type ResolveTxt } from './dkim.ts'
import type { Probe } from './probe.ts'
import { probeSmtp } from './smtp.ts'

type MailSettings = Pick<Config, 'dkimDomain' | 'dkimKey' | 'dkimSelector' | 'smtpUrl'>

/** Without a mail server there is nothing to try: mail stays in the sandbox. */
export async function probeMail(config: MailSettings, resolve: ResolveTxt = resolveTxt): Promise<Probe[]> {
  if (config.smtpUrl === undefined) return []
  const dkim = dkimOf(config)
  return Promise.all([probeSmtp(config.smtpUrl), ...(dkim ? [probeDkim(dkim, resolve)] : [])])
}

/** @returns what is known by now */
export function startProbes(
  config: MailSettings,
  log: Pick<Log, 'error' | 'info' | 'warn'>,
  resolve?: ResolveTxt
): () => readonly Probe[] {
  let known: readonly Probe[] = []
  const ask = async (): Promise<void> => {
    known = await probeMail(config, resolve)
    for (const { probe, state, words } of known) {
      log[state === 'ok' ? 'info' : state === 'warning' ? 'warn' : 'error']({ probe }, words)
    }
  }
  ask().catch((error: unknown) => log.error({ err: error }, 'The probes of e-mail crashed'))
  return () => known
}
