// The channel of a process to its parent: its assignment, the numbers of its siblings, and the request to stop.

import cluster from 'node:cluster'

import type { Links } from './links.ts'
import type { Assignment, FromParent, Ready, ToParent } from './messages.ts'

export interface ParentChannel {
  readonly assignment: Assignment
  /** Says that siblings may connect, and keeps the links to them up to date. */
  linked(links: Links): void
  ready(ready: Ready): void
}

const tell = (message: ToParent): void => void process.send?.(message)

/**
 * Waits for the assignment of the parent.
 *
 * @param onStop - called when the parent stops its processes
 */
export function openParentChannel(onStop: () => void): Promise<ParentChannel> {
  const { promise, resolve } = Promise.withResolvers<ParentChannel>()
  let links: Links | undefined
  let numbers: readonly number[] = []
  process.on('message', (message: FromParent) => {
    if (message.kind === 'stop') onStop()
    else if (message.kind === 'numbers') links?.setNumbers((numbers = message.numbers))
    else {
      resolve({
        linked(opened) {
          links = opened
          links.setNumbers(numbers)
          tell({ kind: 'linked' })
        },
        ready: ready => tell({ kind: 'ready', ready }),
        assignment: message.assignment
      })
    }
  })
  tell({ kind: 'hello' })
  return promise
}

/** Whether this process was started by a parent process of the server. */
export const hasParent = (): boolean => cluster.isWorker
