// Closes the page of a file of element tests that starts no test for most of a minute, so that the runner goes on.
//
// The time-out of a test cannot end a loop that leaves the page no time, and the runner waits for the answer of such a page.

import type { ReporterArgs, TestRunnerPlugin } from '@web/test-runner'
import type { Page } from 'puppeteer-core'

/** What a page sends with the name of each test that it starts. */
export const TEST_STARTED = 'test-started'

let page: Page | undefined
let timer: NodeJS.Timeout | undefined
const reasons = new Map<string, string>()
const starts = new Map<string, number>()
const seconds = new Map<string, number>()

/** All files run in one page after the other. */
export const watchPage = (watched: Page): Page => (page = watched)

/** @returns why the page of a session was closed, or undefined if it was not closed here */
export const silenceOf = (sessionId: string): string | undefined => reasons.get(sessionId)

/** @returns how long the tests of a session ran */
export const secondsOf = (sessionId: string): number => seconds.get(sessionId) ?? 0

/** @param silenceMs - how long a page may say nothing: more than the time-out of a test */
export function guardSilence(silenceMs: number): {
  readonly plugin: TestRunnerPlugin
  /** Of a reporter: hears of every file that starts and ends, however it ends. */
  start(args: Pick<ReporterArgs, 'sessions'>): void
} {
  const waitForNext = (sessionId: string, last: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      reasons.set(sessionId, `said nothing for ${silenceMs / 1000} s after ${last}`)
      void page!.close()
    }, silenceMs)
  }
  return {
    plugin: {
      executeCommand({ command, payload, session }) {
        if (command !== TEST_STARTED) return undefined
        waitForNext(session.id, `the start of “${String(payload)}”`)
        return true
      },
      name: 'silence'
    },
    start({ sessions }) {
      // The library's own type of `status` lacks two of its values.
      sessions.on('session-status-updated', ({ id, status }: { id: string; status: string }) => {
        if (status === 'TEST_STARTED') {
          starts.set(id, performance.now())
          waitForNext(id, 'its page was opened')
        }
        if (status === 'TEST_FINISHED' || status === 'FINISHED') clearTimeout(timer)
        const started = starts.get(id)
        if (status === 'FINISHED' && started) seconds.set(id, (performance.now() - started) / 1000)
      })
    }
  }
}
