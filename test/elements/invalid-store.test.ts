// An invalid store is logged, and the store of the page is used. An unhandled error fails the test.

import { expect } from '@open-wc/testing'

import { configure, type KitConfig, type NotifFeed } from '../../components/index.ts'
import { show, waitUntil } from './support/page.ts'

for (const [tag, store] of [
  ['feed', 5],
  ['popup', Promise.resolve()],
  ['counter', 'mine'],
  ['provider', 5],
  ['provider', Promise.resolve()],
  ['provider', 'mine']
] as const) {
  it(`${tag}: ${String(store)}`, async () => {
    const warnings: string[] = []
    const { warn } = console
    console.warn = (line: string) => void warnings.push(line)
    try {
      const element = await show<NotifFeed>(`<notif-${tag}></notif-${tag}>`, raw =>
        Object.assign(raw, { store })
      )
      await waitUntil(() => warnings.length > 0)
      element.requestUpdate()
      await element.updateComplete
    } finally {
      console.warn = warn
    }
    expect(warnings).to.deep.equal([
      `<notif-${tag}> store: expected a store, got ${String(store)}; the default is used.`
    ])
  })
}

for (const given of [undefined, {}, { store: 5 }, { store: 'mine' }, { store: Promise.resolve() }]) {
  it(`configure: ${JSON.stringify(given)}`, async () => {
    const error: unknown = await configure(given as unknown as KitConfig).catch((reason: unknown) => reason)
    expect(String(error)).to.equal('TypeError: notif-kit needs clientId and userId, or a store.')
  })
}
