// The pure parts of toasts: the queue, the policy, and what a swipe is.

import { expect } from '@open-wc/testing'

import { isUrgentType, mayInterrupt } from '../../components/core/on-demand/interruptions.ts'
import type { Notif, Preferences } from '../../components/index.ts'
import { ToastQueue, type Toast } from '../../components/toast/queue.ts'
import { isSwipe } from '../../components/toast/swipe.ts'

const notif = (id: string): Notif => ({ date: '2026-01-01T00:00:00.000Z', id, rev: 1, title: id, type: 't' })
const ids = (toasts: readonly Toast[]): string => toasts.map(({ item }) => item.id).join('')

function queueOf(all: string, urgent = ''): ToastQueue {
  const queue = new ToastQueue()
  for (const id of all) queue.add(notif(id), urgent.includes(id))
  return queue
}

describe('the queue of toasts', () => {
  it('shows three and counts the others, for as long as a toast is shown', () => {
    const queue = queueOf('abcde')
    expect([ids(queue.getVisible()), queue.moreCount]).to.deep.equal(['abc', 2])
    expect(ids(queue.advance(5999))).to.equal('')
    expect(ids(queue.advance(1))).to.equal('abc')
    expect(queue.moreCount).to.equal(0)
  })

  it('gives an urgent one the place of the oldest that is not, and lets it stay', () => {
    const queue = queueOf('abcd', 'bd')
    expect([ids(queue.getVisible()), queue.moreCount]).to.deep.equal(['bcd', 1])
    expect(ids(queue.advance(60_000))).to.equal('c')
    for (const id of 'ef') queue.add(notif(id), true)
    expect(ids(queue.getVisible())).to.equal('bde')
    queue.add(notif('g'), true)
    expect([ids(queue.getVisible()), queue.moreCount]).to.deep.equal(['bde', 3])
  })

  it('replaces one that arrives again, and starts its time anew', () => {
    const queue = queueOf('ab')
    queue.advance(4000)
    queue.add(notif('a'), false)
    expect(ids(queue.getVisible())).to.equal('ba')
    expect(ids(queue.advance(2000))).to.equal('b')
  })

  it('shows one at a time on a phone, and the time of the next begins with its turn', () => {
    const queue = queueOf('abc')
    expect(ids(queue.getVisible(1))).to.equal('a')
    expect(ids(queue.advance(6000, 1))).to.equal('a')
    queue.startLeaving('a')
    expect(ids(queue.getVisible(1))).to.equal('ab')
    queue.remove('a')
    expect(ids(queue.advance(5999, 1))).to.equal('')
    expect(ids(queue.advance(1, 1))).to.equal('b')
  })

  it('has space again when one leaves, and leaves each once', () => {
    const queue = queueOf('abc')
    expect(queue.startLeaving('b')).to.equal(true)
    expect(queue.startLeaving('b')).to.equal(false)
    queue.add(notif('d'), false)
    expect([ids(queue.getVisible()), queue.moreCount]).to.deep.equal(['abcd', 0])
    queue.remove('b')
    expect(ids(queue.clear())).to.equal('acd')
    expect(queue.isEmpty).to.equal(true)
  })
})

const type = { channels: [], notificationId: 't', options: {}, title: 'T' }
const none: Preferences = { notifications: [type], preferences: [], subNotifications: [] }
const urgent: Preferences = { ...none, notifications: [{ ...type, urgent: true }] }

describe('the policy of toasts', () => {
  const at = (text: string): number => Date.parse(text)
  const now = at('2026-11-23T10:00:00Z')
  const allowed = (preferences: Preferences | undefined, when = now): boolean =>
    mayInterrupt(preferences, 't', when)

  it('allows everything while the preferences are unknown', () => {
    expect(allowed(undefined)).to.equal(true)
    expect(allowed(none)).to.equal(true)
  })

  it('leaves out a type that is off', () => {
    const choice = { channel: 'INAPP_WEB', delivery: 'off', notificationId: 't' } as const
    expect(allowed({ ...none, preferences: [choice] })).to.equal(false)
    expect(allowed({ ...none, preferences: [{ ...choice, notificationId: 'u' }] })).to.equal(true)
    expect(allowed({ ...none, preferences: [{ ...choice, channel: 'EMAIL' }] })).to.equal(true)
    expect(allowed({ ...none, preferences: [{ ...choice, subNotificationId: 's' }] })).to.equal(true)
  })

  it('is silent during a pause, until it ends, except for urgent types', () => {
    const until = (instant: string | null) => ({ pause: { isOn: true, until: instant } })
    expect(allowed({ ...none, ...until(null) })).to.equal(false)
    expect(allowed({ ...none, ...until('2026-11-23T11:00:00.000Z') })).to.equal(false)
    expect(allowed({ ...none, ...until('2026-11-23T09:00:00.000Z') })).to.equal(true)
    expect(allowed({ ...none, pause: { isOn: false, until: null } })).to.equal(true)
    expect(isUrgentType(urgent, 't')).to.equal(true)
    expect(allowed({ ...urgent, ...until(null) })).to.equal(true)
  })

  it('is silent in quiet hours of the zone of the user, also after midnight', () => {
    const quiet = {
      // From Monday to Friday.
      days: [1, 2, 3, 4, 5],
      from: '22:00',
      on: true,
      to: '07:00',
      urgentPasses: true,
      zone: 'Europe/Amsterdam'
    }
    const quietAt = (text: string, more = {}, base = none): boolean =>
      !allowed({ ...base, quiet: { ...quiet, ...more } }, at(text))
    // 2026-11-23 is a Monday, and Amsterdam is an hour ahead.
    expect(quietAt('2026-11-23T20:59:00Z')).to.equal(false)
    expect(quietAt('2026-11-23T21:00:00Z')).to.equal(true)
    expect(quietAt('2026-11-24T05:59:00Z')).to.equal(true)
    expect(quietAt('2026-11-24T06:00:00Z')).to.equal(false)
    expect(quietAt('2026-11-23T03:00:00Z'), 'Sunday evening is not quiet').to.equal(false)
    expect(quietAt('2026-11-28T03:00:00Z'), 'Friday evening is').to.equal(true)
    expect(quietAt('2026-11-23T21:00:00Z', { on: false })).to.equal(false)
    expect(quietAt('2026-11-23T12:30:00Z', { from: '12:00', to: '14:00' })).to.equal(true)
    expect(quietAt('2026-11-23T13:30:00Z', { from: '12:00', to: '14:00' })).to.equal(false)
    expect(quietAt('2026-11-23T21:00:00Z', {}, urgent)).to.equal(false)
    expect(quietAt('2026-11-23T21:00:00Z', { urgentPasses: false }, urgent)).to.equal(true)
  })
})

describe('a swipe', () => {
  it('is long or fast, but never a tap', () => {
    expect(isSwipe(96, 5000)).to.equal(true)
    expect(isSwipe(95, 5000)).to.equal(false)
    expect(isSwipe(50, 100)).to.equal(true)
    expect(isSwipe(49, 100)).to.equal(false)
    expect(isSwipe(10, 1)).to.equal(false)
  })
})
