// The worker's handlers, each on a small stand-in for the browser. The whole chain in Chromium: test/e2e/web-push.test.ts.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import {
  onChange,
  onClick,
  onClose,
  onPush,
  type OpenPage,
  type Pages,
  type Registration,
  type WorkerMessage
} from '../../service-worker/handlers.ts'
import { toPageAddress, readMessage } from '../../service-worker/message.ts'

const SITE = 'https://site.example'

// The oldest browsers that the kit is for have none.
Reflect.deleteProperty(URL, 'parse')

/** A browser with these pages open; what happens to it is in `log`. */
function browser(...open: readonly string[]) {
  const log: unknown[] = []
  const told: WorkerMessage[] = []
  const pages: Pages = {
    matchAll: async () =>
      open.map((url): OpenPage => ({
        focus: async () => void log.push(['focus', url]),
        postMessage: news => void told.push(news),
        url
      })),
    openWindow: async url => void log.push(['open', url])
  }
  const registration: Registration = {
    getNotifications: async () =>
      ['read', 'unread'].map(tag => ({ close: () => void log.push(['close', tag]), tag })),
    pushManager: { subscribe: async options => void log.push(['subscribe', options]) },
    showNotification: async (title, options) => void log.push(['show', title, options])
  }
  return { log, pages, registration, told }
}

const shown = (url: unknown) => {
  const notification = {
    close: () => void (notification.closed = true),
    closed: false,
    data: { url },
    tag: 't'
  }
  return notification
}

describe('a push', () => {
  test('closes those that were read', async () => {
    const { log, pages, registration } = browser()
    const payload = { close: ['read', 'gone'], message: 'Gate 4', tag: 't', title: 'Boarding' }
    await onPush(registration, pages, JSON.stringify(payload))
    assert.deepEqual(log.slice(1), [['close', 'read']])
  })

  test('is shown as the server said it, and open pages hear of it', async () => {
    const { log, pages, registration, told } = browser(`${SITE}/`)
    const payload = { icon: '/i.png', message: 'Gate 4', tag: 't', title: 'Boarding', url: '/trips/4' }
    await onPush(registration, pages, JSON.stringify(payload))
    assert.deepEqual(log, [
      ['show', 'Boarding', { body: 'Gate 4', data: { url: '/trips/4' }, icon: '/i.png', tag: 't' }]
    ])
    assert.deepEqual(told, [{ tag: 't', type: 'notif-push' }])
  })

  test('always has a title, whatever comes', () => {
    assert.deepEqual(readMessage(undefined), { title: 'Notification' })
    assert.deepEqual(readMessage('just text'), { message: 'just text', title: 'Notification' })
    assert.deepEqual(readMessage('{"title":5,"body":"b"}'), { message: 'b', title: 'Notification' })
    assert.deepEqual(readMessage('null'), { message: 'null', title: 'Notification' })
    assert.deepEqual(readMessage('[]'), { title: 'Notification' })
  })
})

describe('a click', () => {
  test('opens the address, or brings the page to the front that shows it', async () => {
    const away = browser(`${SITE}/`)
    const notification = shown('/trips/4')
    await onClick(notification, away.pages, SITE)
    assert.ok(notification.closed)
    assert.deepEqual(away.log, [['open', `${SITE}/trips/4`]])
    const there = browser(`${SITE}/`, `${SITE}/trips/4`)
    await onClick(shown('/trips/4'), there.pages, SITE)
    assert.deepEqual(there.log, [['focus', `${SITE}/trips/4`]])
    assert.deepEqual(there.told.at(-1), { tag: 't', type: 'notif-push-click' })
  })

  test('leads only to pages', async () => {
    for (const url of [
      undefined,
      '',
      5,
      'https://bank.example@evil.example/',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'http://'
    ]) {
      assert.equal(toPageAddress(url, SITE), undefined, String(url))
      const { log, pages } = browser()
      await onClick(shown(url), pages, SITE)
      assert.deepEqual(log, [])
    }
    assert.equal(toPageAddress('https://other.example/x', SITE), 'https://other.example/x')
    assert.equal(toPageAddress('//other.example/x', SITE), 'https://other.example/x')
  })
})

test('a notification that is put away is told', async () => {
  const { pages, told } = browser(SITE)
  await onClose({ tag: 't' }, pages)
  assert.deepEqual(told, [{ tag: 't', type: 'notif-push-close' }])
})

describe('a subscription that changed', () => {
  test('is made anew where the browser only ended it', async () => {
    const options = { applicationServerKey: 'k', userVisibleOnly: true }
    const ended = browser(SITE)
    await onChange(ended.registration, ended.pages, { options }, null)
    assert.deepEqual(ended.log, [['subscribe', options]])
    assert.deepEqual(ended.told, [{ type: 'notif-push-renewed' }])
    const replaced = browser(SITE)
    await onChange(replaced.registration, replaced.pages, { options }, { options })
    assert.deepEqual([replaced.log, replaced.told], [[], [{ type: 'notif-push-renewed' }]])
  })
})
