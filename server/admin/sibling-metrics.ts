// The metrics of the sibling processes: a scrape reaches one process, which asks the others.

import type { MetricObjectWithValues, MetricValue } from 'prom-client'

import type { Siblings } from '../core/siblings.ts'

const ASK = 'metrics?'
const ANSWER = 'metrics'
/** A sibling that does not answer by then, such as one that ends, is left out. */
const TIMEOUT_MS = 1000

export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[]

export function shareMetrics(siblings: Siblings, readOwn: () => Promise<ProcessMetrics>) {
  let asked = 0
  /** By question. Each question has a text of its own, so a late answer belongs to no other question. */
  const waiting = new Map<string, (metrics: ProcessMetrics) => void>()
  siblings.on(ASK, (question, from) => {
    void readOwn().then(metrics => from.send(ANSWER, JSON.stringify([question, metrics])))
  })
  siblings.on(ANSWER, text => {
    const [question, metrics] = JSON.parse(text) as [string, ProcessMetrics]
    waiting.get(question)?.(metrics)
  })
  return {
    /** Returns the metrics of each sibling that answers. */
    async read(): Promise<ProcessMetrics[]> {
      const answers = siblings.reachable().map(sibling => {
        const question = `${siblings.number} ${sibling.number} ${asked++}`
        const { promise, resolve } = Promise.withResolvers<ProcessMetrics | undefined>()
        const timer = setTimeout(resolve, TIMEOUT_MS, undefined)
        waiting.set(question, resolve)
        sibling.send(ASK, question)
        return promise.finally(() => {
          clearTimeout(timer)
          waiting.delete(question)
        })
      })
      return (await Promise.all(answers)).filter(metrics => metrics !== undefined)
    }
  }
}
