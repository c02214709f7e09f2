// The store with its transport and a real server, over both dialects.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createNotifStore, TransportError, type NotifStore } from '../../components/headless/index.ts'
import { userHash } from '../../server/http/auth.ts'
import { CLIENT, OWN_KEYS, SECRET, inbox, send } from '../process/send-and-read.ts'
import { testDb } from '../support/db.ts'
import { startServer } from '../support/process.ts'

/** A reconnect may take 5 s. */
const WAIT_TIMEOUT_MS = 15_000

interface Tab {
  readonly store: NotifStore
  readonly told: string[]
  /** Resolves when the list and the counters are these. */
  shows(titles: string, counts: string): Promise<void>
  is(state: string): Promise<void>
}

function openTab(apiUrl: string, wsUrl = apiUrl, hash = userHash(SECRET, 'u1')): Tab {
  const store = createNotifStore({ apiUrl, clientId: CLIENT, userHash: hash, userId: 'u1', wsUrl })
  const told: string[] = []
  store.onNewNotifications(items => told.push(...items.map(item => item.title)))
  const waiting = new Set<() => void>()
  const look = (): void => {
    for (const waiter of waiting) waiter()
  }
  store.$notifications.listen(look)
  store.$counts.listen(look)
  store.$connection.listen(look)

  /** Fails with the current state. */
  function until(check: () => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer)
        waiting.delete(waiter)
      }
      const waiter = (): void => {
        if (!check()) return
        end()
        resolve()
      }
      const timer = setTimeout(() => {
        end()
        reject(new Error(`expected ${what}, shows ${list()} ${counts()} ${store.$connection.get().state}`))
      }, WAIT_TIMEOUT_MS)
      waiting.add(waiter)
      waiter()
    })
  }

  const counts = (): string => `${store.$unopened.get()}/${store.$unarchived.get()}`
  const list = (): string =>
    store.$notifications
      .get()
      .map(({ archived, opened, title }) => `${title}${opened ? '+' : ''}${archived ? '-' : ''}`)
      .join(' ')
  return {
    is: state => until(() => store.$connection.get().state === state, state),
    shows: (titles, numbers) =>
      until(() => list() === titles && counts() === numbers, `${titles} ${numbers}`),
    store,
    told
  }
}

const findId = ({ store }: Tab, title: string): string =>
  store.$notifications.get().find(item => item.title === title)!.id

async function sendTitle(server: { readonly base: string }, title: string): Promise<void> {
  const answer = await send(server, title)
  assert.ok(answer.ok, await answer.text())
}

for (const dialect of ['Socket.IO', 'plain frames']) {
  test(`${dialect}: every tab shows sends, actions and changes during a restart once`, async () => {
    await using t = await testDb()
    const options = { databaseUrl: t.url, env: { ...OWN_KEYS } as Record<string, string> }
    let server = await startServer(options)
    const { base } = server
    const ws = dialect === 'Socket.IO' ? base : base.replace('http', 'ws')
    // Two tabs of one browser share a connection; a browser with another address of the same server has its own.
    const tabs = [openTab(base, ws), openTab(base, ws), openTab(base.replace('127.0.0.1', 'localhost'), ws)]
    const all = (titles: string, counts: string): Promise<void[]> =>
      Promise.all(tabs.map(tab => tab.shows(titles, counts)))
    try {
      await sendTitle(server, 'before')
      await all('before', '1/1')
      await Promise.all(tabs.map(tab => tab.is('online')))

      await sendTitle(server, 'one')
      await sendTitle(server, 'two')
      await all('two one before', '3/3')

      await tabs[0]!.store.markAsClicked(findId(tabs[0]!, 'one'))
      await all('two one+ before', '2/3')
      await tabs[1]!.store.markAsArchived([findId(tabs[1]!, 'two')])
      await all('two- one+ before', '1/2')
      await tabs[2]!.store.markAsOpened()
      await tabs[1]!.store.markAsUnarchived([findId(tabs[1]!, 'two')])
      await all('two+ one+ before+', '0/3')
      await tabs[0]!.store.markAsUnopened([findId(tabs[0]!, 'one')])
      await all('two+ one before+', '1/3')

      // Restarts the server on the same port, with one more notification from another client.
      await server.end('SIGKILL')
      await Promise.all(tabs.map(tab => tab.is('offline')))
      await server[Symbol.asyncDispose]()
      server = await startServer({ ...options, env: { ...options.env, PORT: new URL(base).port } })
      await sendTitle(server, 'after')
      await all('after two+ one before+', '2/4')
      await Promise.all(tabs.map(tab => tab.is('online')))
      await tabs[0]!.store.markAsArchived('ALL')
      await all('after- two+- one- before+-', '0/0')

      for (const { told } of tabs) {
        assert.deepEqual(
          told.filter(title => title !== 'before'),
          ['one', 'two', 'after']
        )
      }
      assert.deepEqual((await inbox(server)).counts, { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 })
    } finally {
      for (const { store } of tabs) store.destroy()
      await server[Symbol.asyncDispose]()
    }
  })

  test(`${dialect}: refuses wrong credentials in every tab for good`, async () => {
    await using t = await testDb()
    await using server = await startServer({ databaseUrl: t.url, env: OWN_KEYS })
    const ws = dialect === 'Socket.IO' ? server.base : server.base.replace('http', 'ws')
    const { is, store } = openTab(server.base, ws, 'd3Jvbmc=')
    try {
      await is('refused')
      const state = store.$connection.get()
      assert.ok(state.state === 'refused' && state.title.length > 0 && state.detail.length > 0)
      await assert.rejects(
        store.markAsArchived(['018f0000-0000-7000-8000-000000000000']),
        (error: unknown) => error instanceof TransportError && error.status === 401
      )
      const loading = store.$loading.get()
      assert.ok(loading.state === 'failed' && loading.error instanceof TransportError)
    } finally {
      store.destroy()
    }
  })
}
