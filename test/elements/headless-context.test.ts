// The headless API, in a Lit element and in other code: every member, and nothing is loaded that is not read.

import { expect } from '@open-wc/testing'
import { html, LitElement, type TemplateResult } from 'lit'

import {
  configure,
  createNotifStore,
  getNotifContext,
  useNotifContext,
  type HostContext,
  type Identity,
  type NotifProvider,
  type Transport
} from '../../components/index.ts'
import { memoryInbox } from '../../components/testing.ts'
import { harbour } from './support/harbour.ts'
import { show, waitUntil } from './support/page.ts'
import { harbourPreferences } from './support/preferences.ts'

class Headless extends LitElement {
  readonly context: HostContext = useNotifContext(this)
  draw: (context: HostContext) => unknown = ({ unopened }) => unopened

  override render(): TemplateResult {
    return html`${this.draw(this.context)}`
  }
}
customElements.define('test-headless', Headless)

const text = (element: Element): string => element.shadowRoot!.textContent!.trim()

/** A store, and what it asked the server for. */
function heard() {
  const inbox = memoryInbox({ items: harbour(), preferences: harbourPreferences() })
  const asked: string[] = []
  const said: { identity?: Identity; on?: boolean } = {}
  const own = inbox.transport()
  const note = <K extends 'getPage' | 'getPreferences'>(name: K): Transport[K] =>
    // The host only passes the value on.
    ((...args: never[]) => {
      asked.push(name)
      return (own[name] as (...args: never[]) => unknown)(...args)
    }) as Transport[K]
  const store = createNotifStore({
    environment: { ready: async () => {} },
    transport: {
      ...own,
      async identify(identity) {
        said.identity = identity
      },
      async setWebPushOptIn(on) {
        said.on = on
      },
      getPage: note('getPage'),
      getPreferences: note('getPreferences')
    }
  })
  return { asked, inbox, said, store }
}

/** An element of ours in a provider that has the store. */
async function place(world: ReturnType<typeof heard>, draw?: Headless['draw']): Promise<Headless> {
  const provider = await show<NotifProvider>(
    '<notif-provider><test-headless></test-headless></notif-provider>',
    made => (made.store = world.store)
  )
  const host = provider.querySelector<Headless>('test-headless')!
  if (draw) host.draw = draw
  host.requestUpdate()
  return host
}

const email = ({ preferences }: Pick<HostContext, 'preferences'>): string | undefined =>
  preferences?.preferences.find(
    ({ channel, notificationId }) => notificationId === 'comments' && channel === 'EMAIL'
  )?.delivery

describe('the context of a Lit element', () => {
  it('updates for the values that its render reads, and has all actions', async () => {
    const world = heard()
    const { inbox, said } = world
    const host = await place(world, ({ notifications, unarchived, unopened }) =>
      [notifications.length, unarchived, unopened].join(' ')
    )
    const all = harbour().length
    await waitUntil(() => text(host) === `${all} ${all} 4`, 'the inbox')
    const { id } = inbox.add({ title: 'Live' })
    await waitUntil(() => text(host) === `${all + 1} ${all + 1} 5`, 'a live one')
    const { context } = host
    await context.markAsClicked(id)
    expect(context.unopened).to.equal(4)
    await context.markAsUnopened([id])
    await context.markAsOpened()
    await context.markAsArchived([id])
    await waitUntil(() => text(host) === `${all + 1} ${all} 0`, 'opened, and one archived')
    await context.markAsUnarchived([id])
    await context.markAsArchived('ALL')
    await waitUntil(() => text(host) === `${all + 1} 0 0`, 'all archived')
    await context.loadMore()
    await context.reload()
    await context.getClient().identify({ email: 'amara@heron.example' })
    await context.setWebPushOptIn(true)
    expect(said).to.deep.equal({ identity: { email: 'amara@heron.example' }, on: true })
  })

  it('updates for preferences from the first read on', async () => {
    const world = heard()
    const { asked, inbox } = world
    const host = await place(world)
    await waitUntil(() => text(host) === '4', 'the counter')
    expect(asked).to.deep.equal(['getPage'])
    host.draw = context => email(context) ?? 'unknown'
    host.requestUpdate()
    await waitUntil(() => text(host) === 'hourly', 'what was chosen before')
    expect(asked).to.deep.equal(['getPage', 'getPreferences'])
    await host.context.updateDelivery('comments', 'EMAIL', 'daily')
    await waitUntil(() => text(host) === 'daily', 'an own choice')
    inbox.prefer(harbourPreferences())
    await waitUntil(() => text(host) === 'hourly', 'somebody else changed it')
  })

  it('runs actions that were called before there was a store', async () => {
    const host = await show<Headless>('<test-headless></test-headless>')
    const before = heard()
    // In a provider without a user.
    const provider = document.createElement('notif-provider')
    host.replaceWith(provider)
    provider.append(host)
    const done = host.context.markAsArchived('ALL')
    expect(host.context.preferences).to.equal(undefined)
    provider.store = before.store
    await done
    expect(before.inbox.page(1).counts.unarchived).to.equal(0)
  })

  it('unsubscribes when the element is disconnected', async () => {
    const world = heard()
    const host = await place(world, context => context.notifications.length + (email(context)?.length ?? 0))
    await waitUntil(() => Number(text(host)) > harbour().length, 'both are known')
    const { $notifications, $preferences } = world.store
    expect([$notifications.lc, $preferences.lc]).to.deep.equal([1, 1])
    host.remove()
    expect([$notifications.lc, $preferences.lc]).to.deep.equal([0, 0])
  })
})

describe('the context of any element', () => {
  it('returns current values, and loads nothing that is not read', async () => {
    const { asked, inbox, store } = heard()
    await configure({ store })
    const context = await getNotifContext(document.body)
    expect(context === store).to.equal(true)
    expect('preferences' in { ...context }).to.equal(false, 'a copy reads nothing')
    const end = context.$unopened.listen(() => {})
    await waitUntil(() => context.$unopened.get() === 4)
    expect(context.notifications.length).to.equal(harbour().length)
    expect(asked).to.deep.equal(['getPage'])
    expect(context.preferences).to.equal(undefined)
    await waitUntil(() => email(context) === 'hourly', 'asked for by the first read')
    inbox.add({ title: 'Live' })
    await waitUntil(() => context.notifications[0]?.title === 'Live')
    end()
  })
})
