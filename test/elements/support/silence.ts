// Closes the page of a file of element tests that starts no test for most of a minute, so that the runner goes on.
//
// The time-out of a test cannot end a loop that leaves the page no time, and the runner waits for the answer of such a page.

import type { TestRunnerPlugin } from '@web/test-runner'
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

/** @returns from the opening of the page of a session to its last word */
export const secondsOf = (sessionId: string): number => seconds.get(sessionId) ?? 0

const stop = (sessionId: string): void => {
  clearTimeout(timer)
  seconds.set(sessionId, (performance.now() - (starts.get(sessionId) ?? performance.now())) / 1000)
}

/** @param silenceMs - how long a page may say nothing: more than the time-out of a test */
export const silencePlugin = (silenceMs: number): TestRunnerPlugin => {
  const waitForNext = (sessionId: string, last: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      stop(sessionId)
      reasons.set(sessionId, `said nothing for ${silenceMs / 1000} s after ${last}`)
      void page!.close()
    }, silenceMs)
  }
  return {
    executeCommand({ command, payload, session }) {
      if (command !== TEST_STARTED) return undefined
      waitForNext(session.id, `the start of “${String(payload)}”`)
      return true
    },
    name: 'silence',
    serverStart({ webSockets }) {
      webSockets!.on('message', ({ data }) => {
        const sessionId = String(data['sessionId'])
        if (data.type === 'wtr-session-finished') stop(sessionId)
        if (data.type !== 'wtr-session-started') return
        starts.set(sessionId, performance.now())
        waitForNext(sessionId, 'its page was opened')
      })
    }
  }
}
