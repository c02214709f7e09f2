// A network that a test drives step by step, reliable or not. The same seed gives the same run.

import { TransportError } from '../../components/headless/index.ts'
import type { LiveEvent, Transport } from '../../components/store/transport.ts'
import type { Random } from '../support/random.ts'

/** Messages that have not arrived, in no order. */
export class UnreliableNetwork {
  bad = true
  readonly #random: Random
  #flying: (() => void)[] = []

  constructor(random: Random) {
    this.#random = random
  }

  chance(percent: number): boolean {
    return this.bad && this.#random(100) < percent
  }

  later(happen: () => void): void {
    this.#flying.push(happen)
  }

  get empty(): boolean {
    return this.#flying.length === 0
  }

  step(): void {
    const index = this.bad ? this.#random(this.#flying.length) : 0
    const [happen] = this.#flying.splice(index, 1)
    happen?.()
  }

  /** Request and answer: each may be slow or fail. */
  request<T>(answer: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const lost = (): void => reject(new TransportError(0, 'lost'))
      this.later(() => {
        if (this.chance(10)) return this.later(lost)
        void answer().then(value => this.later(() => (this.chance(10) ? lost() : resolve(value))), reject)
      })
    })
  }

  /** Frames may be lost, doubled or reordered without an error. */
  wrap(inner: Transport): Transport {
    return {
      getChanges: since => this.request(() => inner.getChanges(since)),
      setWebPushOptIn: on => inner.setWebPushOptIn(on),
      updateSettings: (patch, key) => this.request(() => inner.updateSettings(patch, key)),
      updateTopic: (id, isMember) => this.request(() => inner.updateTopic(id, isMember)),
      connect: (listener, version) => {
        let open = true
        const end = inner.connect((event: LiveEvent) => {
          const arrive = (): void => {
            if (open) listener(event)
          }
          if (this.chance(20)) return
          this.later(arrive)
          if (this.chance(10)) this.later(arrive)
        }, version)
        return () => {
          open = false
          end()
        }
      },
      identify: identity => inner.identify(identity),
      getPage: (count, cursor, filter) => this.request(() => inner.getPage(count, cursor, filter)),
      getTypeCounts: (types, tags) => this.request(() => inner.getTypeCounts(types, tags)),
      patch: patch => this.request(() => inner.patch(patch)),
      updateDeliveries: choices => this.request(() => inner.updateDeliveries(choices)),
      getPreferences: () => this.request(() => inner.getPreferences())
    }
  }
}
