// Tabs that close, pages that come back, servers that die: the inbox ends as the server has it.

import { path } from './path.ts'

const TITLES = 'notif-feed >> article .title'
/** Shows the state of the connection. */
const body = `<notif-feed></notif-feed><output></output><script type="module">
  const { getNotifContext } = await import(document.querySelector('script[data-client-id]').src)
  const store = await getNotifContext(document.documentElement)
  store.$connection.subscribe(({ state }) => { document.querySelector('output').textContent = state })
</script>`

export const takesOver = path(
  'the other tab takes the connection over when one closes',
  async ({ open, send }) => {
    const first = await open({ body })
    await first.lists('output', 'online')
    const second = await open({ body })
    await second.lists('output', 'online')
    await send('To both')
    for (const page of [first, second]) await page.lists(TITLES, 'To both')
    await first.close()
    await send('During the change')
    await second.lists(TITLES, 'During the change', 'To both')
    await send('Later')
    await second.lists(TITLES, 'Later', 'During the change', 'To both')
  }
)

export const returns = path('a page that one comes back to loads what it missed', async ({ open, send }) => {
  const page = await open({ body })
  await send('Before')
  await page.lists(TITLES, 'Before')
  await page.click('a >> "Timetable"')
  await page.shows(() => location.pathname, '/timetable')
  await send('While away')
  await page.tab.back()
  await page.lists(TITLES, 'While away', 'Before')
  await page.lists('output', 'online')
  await send('Live again')
  await page.lists(TITLES, 'Live again', 'While away', 'Before')
})

export const reconnects = path(
  'after a crash and restart of the server the page shows everything once',
  async ({ open, send, site }) => {
    const page = await open({ body })
    await page.lists('output', 'online')
    await send('Before')
    await page.lists(TITLES, 'Before')
    await site.restart(() => page.lists('output', 'offline'))
    await send('After')
    await page.lists(TITLES, 'After', 'Before')
    await page.lists('output', 'online')
  }
)
