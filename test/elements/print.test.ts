// A list with a fixed height on paper.

import { expect } from '@open-wc/testing'
import { emulateMedia } from '@web/test-runner-commands'

import { harbour, world } from './support/harbour.ts'
import { inside, rowsShown, show, waitUntil, type NotifFeed } from './support/page.ts'

afterEach(() => emulateMedia({ media: 'screen' }))

it('is printed in full', async () => {
  const { store } = world({ items: harbour() })
  const feed = await show<NotifFeed>('<notif-feed infinite-scroll-height="200"></notif-feed>', raw => {
    raw.store = store
  })
  await rowsShown(feed, 9)
  const list = inside(feed, '.list')!
  await waitUntil(() => list.clientHeight === 200 && list.scrollHeight > 200)
  await emulateMedia({ media: 'print' })
  await waitUntil(() => list.clientHeight > 200, 'it grows')
  expect(list.clientHeight).to.equal(list.scrollHeight)
})
