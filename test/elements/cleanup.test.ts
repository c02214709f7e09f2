// Removed elements release everything: listeners, observers, timers and stores.

import { expect } from '@open-wc/testing'

import type { NotifPopup, NotifStore } from '../../components/index.ts'
import { openDatabase } from '../../components/store/offline/indexed-db.ts'
import { harbour, world } from './support/harbour.ts'
import { settled, show, waitUntil } from './support/page.ts'

const TIMES = 100
const TAGS = ['notif-counter', 'notif-feed', 'notif-launcher', 'notif-popup', 'notif-provider'] as const

/** Who listens to whom on this page: the browser's own methods, counted on the way. */
function watch(): { held: () => Record<string, number>; end: () => void } {
  const listeners = new Map<string, number>()
  const timers = new Set<unknown>()
  const observers = new Set<unknown>()
  const ends: (() => void)[] = []
  const key = (target: EventTarget, type: string): string =>
    `${(target as Node).nodeName ?? 'window'} ${type}`

  function around<T extends object, K extends keyof T>(owner: T, name: K, wrap: (own: T[K]) => T[K]): void {
    const own = owner[name]
    owner[name] = wrap(own)
    ends.push(() => (owner[name] = own))
  }
  // Only on objects that outlive an element.
  const outside = (target: unknown): target is EventTarget =>
    target === document ||
    target === window ||
    target === document.documentElement ||
    target === document.body
  for (const target of [document, window, document.documentElement, document.body] as EventTarget[]) {
    const { addEventListener, removeEventListener } = target
    Object.assign(target, {
      addEventListener(this: EventTarget, ...given: Parameters<EventTarget['addEventListener']>) {
        if (outside(this)) listeners.set(key(this, given[0]), (listeners.get(key(this, given[0])) ?? 0) + 1)
        addEventListener.apply(this, given)
      },
      removeEventListener(this: EventTarget, ...given: Parameters<EventTarget['removeEventListener']>) {
        if (outside(this)) listeners.set(key(this, given[0]), (listeners.get(key(this, given[0])) ?? 0) - 1)
        removeEventListener.apply(this, given)
      }
    })
    ends.push(() => {
      const own = target as Partial<EventTarget>
      delete own.addEventListener
      delete own.removeEventListener
    })
  }
  around(
    window,
    'setInterval',
    own =>
      ((...given: Parameters<typeof setInterval>) => {
        const id = own(...given)
        timers.add(id)
        return id
      }) as typeof setInterval
  )
  around(window, 'clearInterval', own => id => {
    timers.delete(id)
    own(id)
  })
  for (const name of ['IntersectionObserver', 'MutationObserver', 'ResizeObserver'] as const) {
    const { prototype } = window[name]
    around(
      prototype,
      'observe',
      own =>
        function observe(this: object, ...given: unknown[]) {
          observers.add(this)
          return (own as (...all: unknown[]) => void).apply(this, given)
        } as never
    )
    around(
      prototype,
      'disconnect',
      own =>
        function disconnect(this: object) {
          observers.delete(this)
          return (own as () => void).apply(this)
        } as never
    )
  }
  return {
    end: () => {
      for (const end of ends) end()
    },
    held: () =>
      Object.fromEntries(
        [...listeners, ['timers', timers.size] as const, ['observers', observers.size] as const].filter(
          ([, count]) => count !== 0
        )
      )
  }
}

const listening = (store: NotifStore): number =>
  [store.$notifications, store.$counts, store.$loading, store.$connection].reduce(
    (sum, { lc }) => sum + lc,
    0
  )

for (const tag of TAGS) {
  describe(`<${tag}> that is removed`, () => {
    it('releases listeners, observers, timers and stores, a hundred times', async () => {
      const { store } = world({ items: harbour() })
      const visit = async (): Promise<void> => {
        const element = document.createElement(tag) as NotifPopup
        element.store = store
        place.append(element)
        await element.updateComplete
        if ('show' in element) {
          await element.show()
          await element.updateComplete
        }
        // Frameworks move elements like this.
        place.prepend(element)
        await element.updateComplete
        element.remove()
      }
      const place = await show('<div></div>')
      // The first element creates what the page keeps: the provider of the document and the texts.
      await visit()
      await settled(place)
      const { end, held } = watch()
      try {
        for (let time = 0; time < TIMES; time++) await visit()
        await waitUntil(() => Object.keys(held()).length === 0, `still held: ${JSON.stringify(held())}`)
        // Computed stores unsubscribe a second later.
        await waitUntil(() => listening(store) === 0, 'somebody still listens to the store')
      } finally {
        end()
      }
    })
  })
}

describe('a popup that stays on the page', () => {
  it('keeps no listener of an inbox that was opened and closed fifty times', async () => {
    const { store } = world({ items: harbour() })
    // A badge that does not follow what was in sight, so that the number of nodes does not depend on how long an inbox was open.
    const popup = await show<NotifPopup>(
      '<notif-popup count="COUNT_UNARCHIVED_NOTIFICATIONS"></notif-popup>',
      element => (element.store = store)
    )
    const visit = async (): Promise<void> => {
      await popup.show()
      await popup.updateComplete
      popup.hide()
      await popup.updateComplete
    }
    const nodes = (root: Node): number => {
      const walker = document.createTreeWalker(root)
      let count = 0
      while (walker.nextNode()) count += 1
      return count
    }
    const all = (): number => nodes(document) + nodes(popup.shadowRoot!)
    // The first one has no line "New", the second one has none either, as nothing arrived after the first.
    await visit()
    await waitUntil(() => store.$loading.get().state === 'ready')
    await visit()
    await visit()
    await settled(popup)
    const before = all()
    const { end, held } = watch()
    try {
      for (let time = 0; time < 50; time++) await visit()
      await settled(popup)
      await waitUntil(() => Object.keys(held()).length === 0, `still held: ${JSON.stringify(held())}`)
      expect(all()).to.equal(before)
    } finally {
      end()
    }
  })
})

describe('the offline cache', () => {
  it('closes a database that was still opening, after its data was written', async () => {
    const { close } = IDBDatabase.prototype
    let closed = 0
    IDBDatabase.prototype.close = function () {
      closed++
      close.call(this)
    }
    try {
      const database = openDatabase()
      const written = database.write(actions => actions.put('Here', 'place'))
      database.close()
      await written
      await waitUntil(() => closed === 1)
      const found = await database.transact(({ actions }, give) => {
        const request = actions.get('place')
        request.addEventListener('success', () => give(request.result))
        actions.delete('place')
      })
      expect(found).to.equal('Here')
      database.close()
    } finally {
      IDBDatabase.prototype.close = close
    }
  })
})
