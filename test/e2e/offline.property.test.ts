// Two tabs of one browser with an unreliable network and reloads: in the end both tabs show the state of the server, no action is
// pending, no key was used for two requests, and the last action wins in any tab.
//
// TEST_CASES and TEST_SEED take others.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { BrowserContext, Page } from 'playwright-core'

import type { NotifStore } from '../../components/headless/index.ts'
import type { Preferences } from '../../components/protocol/index.ts'
import { until } from '../support/process.ts'
import { caseCount, Counterexample, random, SEED, type Random } from '../support/random.ts'
import { browser, site } from './shared-site.ts'
import { CLIENT, toUserHash, createUserId } from './site.ts'

const CASES = caseCount(3)
/** Cases that were found once. */
const KEPT_SEEDS: readonly number[] = [
  508_923_436, 554_126_549, 554_126_550, 557_322_090, 557_376_063, 557_509_239, 557_832_131
]
/** Long, because a busy machine is slow and a failure is final. */
const PATIENCE_MS = 120_000
const STEPS = 14
const STEP = [
  'cut',
  'archive',
  'unarchive',
  'archive',
  'unarchive',
  'archive all',
  'open all',
  'snooze',
  'mute',
  'undo',
  'undo',
  'act',
  'reply',
  'reload',
  'send'
] as const

const ownHeaders = (userId: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${CLIENT}:${userId}:${toUserHash(userId)}`).toString('base64')}`
})

type Globals = { store: NotifStore }

/** Loses the way to the server's user routes and sockets, and leaves pages and scripts, which a browser has by itself. */
async function cut(context: BrowserContext): Promise<() => Promise<void>> {
  const isData = (url: URL): boolean => url.pathname.includes('/users/')
  await context.route(isData, route => route.abort())
  return () => context.unroute(isData)
}

const address = (userId: string): string =>
  site.host(`<!doctype html><html lang="en"><title>Site</title><link rel="icon" href="data:,">
  <script type="module">
    import { getNotifContext } from '${site.base}/notif.js'
    await customElements.whenDefined('notif-provider')
    const store = await getNotifContext(document.querySelector('notif-counter'))
    for (const name of ['$notifications', '$counts', '$loading', '$preferences']) store[name].listen(() => {})
    window.store = store
  </script>
  <notif-provider api-url="${site.base}" client-id="${CLIENT}" user-id="${userId}" user-hash="${toUserHash(userId)}">
    <notif-counter show-zero>Inbox</notif-counter>
  </notif-provider>`)

const hasList = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => ((globalThis as unknown as Globals).store?.$notifications.get().length ?? 0) > 0)

/** The visible titles with their state, and the counters. */
const view = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { store } = globalThis as unknown as Globals
    const items = store.$notifications.get().map(({ archived, opened, title }) => [title, archived, opened])
    const { snoozed, unarchived, unopened } = store.$counts.get()
    const preferences = store.$preferences.get()
    const choices =
      preferences.state === 'ready' ? preferences.preferences.map(({ delivery }) => delivery) : []
    return JSON.stringify([items, unarchived, unopened, snoozed, choices])
  })

async function truth(userId: string): Promise<string> {
  const { counts, items } = await site.inbox(userId)
  const { snoozed } = counts as typeof counts & { readonly snoozed: number }
  const answer = await fetch(`${site.base}/${CLIENT}/users/${userId}/preferences`, {
    headers: ownHeaders(userId)
  })
  const { preferences } = (await answer.json()) as Preferences
  return JSON.stringify([
    items.map(({ archived, opened, title }) => [title, archived, opened]),
    counts.unarchived,
    counts.unopened,
    snoozed,
    preferences.map(({ delivery }) => delivery)
  ])
}

/** Number of inboxes, or of actions that wait, in the browser. */
const kept = (page: Page, what: 'actions' | 'inboxes'): Promise<number> =>
  page.evaluate(async what => {
    // To open it before the kit does would make another one.
    if ((await indexedDB.databases()).length === 0) return 0
    return new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open('notif-kit')
      opening.addEventListener('error', () => reject(opening.error))
      opening.addEventListener('success', () => {
        const count = opening.result.transaction(what).objectStore(what).count()
        count.addEventListener('success', () => {
          opening.result.close()
          resolve(count.result)
        })
      })
    })
  }, what)

/** Does it, and waits for nothing; says whether it was archived before. */
const mark = (
  page: Page,
  verb: 'markAsArchived' | 'markAsUnarchived' | 'markAsOpened',
  title?: string
): Promise<boolean> =>
  page.evaluate(
    ([verb, title]) => {
      const { store } = globalThis as unknown as Globals
      const found = store.$notifications.get().find(item => item.title === title)
      const was = Boolean(found?.archived)
      void (title ? store[verb as 'markAsArchived']([found!.id]) : store.markAsOpened()).catch(() => {})
      return was
    },
    [verb, title] as const
  )

/** The key of the last action that can be undone. */
const undoableOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => (globalThis as unknown as Globals).store.$undoable.get()?.key)

type Verb = 'act' | 'mute' | 'reply' | 'snooze' | 'undo'

/** Does it to the notification of a title, and waits for nothing; says what that was before. */
const perform = (
  page: Page,
  verb: Verb,
  title: string
): Promise<{ readonly archived: boolean; readonly snoozed: boolean }> =>
  page.evaluate(
    ([verb, title]) => {
      const { store } = globalThis as unknown as Globals
      const found = store.$notifications.get().find(item => item.title === title)!
      const was = { archived: Boolean(found.archived), snoozed: Boolean(found.snoozedUntil) }
      const doIt: Readonly<Record<string, () => Promise<unknown>>> = {
        act: () => store.act(found.id, 'yes'),
        mute: () => store.mute(found.type, [found.id]),
        reply: () => store.reply(found.id, 'On my way'),
        snooze: () => store.snooze([found.id], new Date(Date.now() + 30 * 86_400_000)),
        undo: () => store.undo()
      }
      void doIt[verb]!().catch(() => {})
      return was
    },
    [verb, title] as const
  )

/** Waits for nothing; says whether there was anything to archive. */
const archiveAll = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { store } = globalThis as unknown as Globals
    const some = store.$counts.get().unarchived > 0
    void store.markAsArchived('ALL').catch(() => {})
    return some
  })

async function runCase(seed: number): Promise<void> {
  const next: Random = random(seed)
  const user = createUserId()
  const titles = ['One', 'Two', 'Three', 'Four']
  for (const title of titles)
    await site.send(user, { actions: [{ id: 'yes', label: 'Yes' }], reply: {}, title })
  await using context = await browser.newContext()
  const complaints: string[] = []
  context.on('response', answer => {
    if (answer.status() >= 400)
      complaints.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`)
  })
  const url = address(user)
  const pages = [await context.newPage(), await context.newPage()]
  for (const page of pages) {
    await page.goto(url)
    await hasList(page)
    // A reload without a network needs a cached inbox.
    await until(async () => (await kept(page, 'inboxes')) > 0, 'something is kept')
  }
  /** Last action by title. */
  const last = new Map<string, boolean>()
  /** What the last action of each tab changed, by title; undefined: all, of which the server decides what an undo restores. */
  const undoable: (
    | { readonly key: string; readonly before: Map<string, boolean> | undefined }
    | undefined
  )[] = []
  const remember = async (tab: number, before?: Map<string, boolean>): Promise<void> => {
    const key = await undoableOf(pages[tab]!)
    // An action that changes nothing leaves the one before it as the one that can be undone.
    if (key !== undefined && key === undoable[tab]?.key) return
    undoable[tab] = key === undefined ? undefined : { before, key }
  }
  const story: string[] = []
  let restore: (() => Promise<void>) | undefined
  for (let step = 0; step < STEPS; step++) {
    const tab = next(2)
    const page = pages[tab]!
    const title = titles[next(titles.length)]!
    const what = STEP[next(STEP.length)]!
    story.push(`${what} (tab ${tab}, ${title})`)
    if (what === 'cut' && restore) {
      await restore()
      restore = undefined
    } else if (what === 'cut') restore = await cut(context)
    else if (what === 'reload') {
      await page.reload()
      await hasList(page)
      undoable[tab] = undefined
      // A type that is off is discarded.
    } else if (what === 'send') await site.send(user, { title: `Sent ${step}` }).catch(() => {})
    else if (what === 'open all') {
      await mark(page, 'markAsOpened')
      await remember(tab, new Map())
    } else if (what === 'archive all') {
      if (!(await archiveAll(page))) continue
      for (const title of titles) last.set(title, true)
      await remember(tab)
    } else if (what === 'undo') {
      const action = undoable[tab]
      undoable[tab] = undefined
      if (!action || action.key !== (await undoableOf(page))) continue
      await perform(page, 'undo', title)
      for (const title of action.before ? [] : titles) last.delete(title)
      for (const [title, was] of action.before ?? []) last.set(title, was)
    } else if (what === 'snooze' || what === 'mute') {
      const was = await perform(page, what, title)
      // A snoozed notification is not archived, and one whose type is turned off is, by this action unless it was before.
      const archived = what === 'mute'
      if (what === 'snooze' || !was.archived) last.set(title, archived)
      // An undo restores only what the action changed, because another tab may have archived the notification since. The action changed
      // the archive mark, or it replaced a snooze; the undo brings that back, and a snoozed notification is not archived.
      const isRestored = was.archived !== archived || (was.snoozed && what === 'snooze')
      await remember(tab, new Map(isRestored ? [[title, was.archived]] : []))
    } else if (what === 'act' || what === 'reply') await perform(page, what, title)
    else {
      const archived = what === 'archive'
      const was = await mark(page, archived ? 'markAsArchived' : 'markAsUnarchived', title)
      // Without actions that change nothing.
      if (was === archived) continue
      last.set(title, archived)
      await remember(tab, new Map([[title, was]]))
    }
  }
  await restore?.()
  const tell = async (): Promise<string> =>
    `${story.join(', ')}\n${[await truth(user), ...(await Promise.all(pages.map(view)))].join('\n')}`
  try {
    await until(
      async () => {
        const now = await truth(user)
        return (
          (await kept(pages[0]!, 'actions')) === 0 &&
          (await view(pages[0]!)) === now &&
          (await view(pages[1]!)) === now &&
          now === (await truth(user))
        )
      },
      'both tabs show what the server has, and nothing waits',
      PATIENCE_MS
    )
    assert.deepEqual(complaints, [])
    const { items } = await site.inbox(user)
    for (const [title, archived] of last) {
      const item = items.find(item => item.title === title)
      assert.equal(Boolean(item?.archived), archived, title)
    }
  } catch (error) {
    throw new Counterexample(await tell(), {
      cause: error,
      keep: 'With TEST_CASES=1 it is the only one. Keep it as a fixed case: add its seed to KEPT_SEEDS of this file.',
      seed
    })
  }
}

test('a browser without a network loses no action and sends none twice', async () => {
  for (const seed of KEPT_SEEDS) await runCase(seed)
  for (let index = 0; index < CASES; index++) await runCase(SEED + index)
})
