// Attacks on actions in an inbox: undo tokens, views and counts, updates, times far away, buttons and replies.

import assert from 'node:assert/strict'

import type { InboxPage, Notif } from '#protocol'

import { asBackEnd, asUser, CLIENT, OTHER, type Answer, type Asked, type TestApp } from '../app.ts'
import { asOther, ATTACKER, post, quick, refused, VICTIM, type Attack } from './attempt.ts'

const inboxPath = (user: string, client = CLIENT): string => `/${client}/users/${user}/inbox`

const patch = (body: object, headers: Asked['headers']): Asked => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
  method: 'PATCH'
})

/** A user of one attack, so that attacks do not change the rows of each other. */
interface Owner {
  readonly user: string
  readonly ids: readonly string[]
  /** As this user. */
  change(body: object): Promise<Answer>
  inbox(query?: string): Promise<InboxPage>
  item(): Promise<Notif>
}

async function owner(app: TestApp, user: string, inapp: object = { title: 'x' }, count = 1): Promise<Owner> {
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) {
    const sent = await app.ask(`/${CLIENT}/sender`, post({ inapp, to: { id: user }, type: 'news' }))
    assert.equal(sent.status, 200, sent.text)
    ids.push(String(sent.json['trackingId']))
  }
  const inbox = async (query = ''): Promise<InboxPage> => {
    const { json, status, text } = await app.ask(inboxPath(user) + query, { headers: asUser(user) })
    assert.equal(status, 200, text)
    return json as unknown as InboxPage
  }
  return {
    change: body => app.ask(inboxPath(user), patch({ trackingIds: ids, ...body }, asUser(user))),
    ids,
    inbox,
    item: async () => (await inbox()).items[0]!,
    user
  }
}

async function archiveAll(one: Owner): Promise<string> {
  const { json, status, text } = await one.change({ archived: new Date().toISOString(), trackingIds: 'ALL' })
  assert.equal(status, 200, text)
  return String(json['undo'])
}

const isArchived = async (one: Owner): Promise<boolean> => (await one.item()).archived !== undefined

export const undoTokens: readonly Attack[] = [
  [
    'the token of another user',
    async app => {
      const [mine, theirs] = [await owner(app, 'undo-1'), await owner(app, 'undo-2')]
      const undo = await archiveAll(theirs)
      await archiveAll(mine)
      const answer = await mine.change({ trackingIds: 'ALL', undo })
      assert.ok(answer.status === 200 || answer.status === 422, answer.text)
      assert.ok(await isArchived(theirs))
    }
  ],
  [
    'a token, sent to the inbox of its user by another user',
    async app => {
      const theirs = await owner(app, 'undo-3')
      const undo = await archiveAll(theirs)
      const body = { trackingIds: 'ALL', undo }
      await refused(inboxPath(theirs.user), patch(body, asUser(ATTACKER)), [401])(app)
      assert.ok(await isArchived(theirs))
    }
  ],
  [
    'a token of the same user id in another environment',
    async app => {
      const theirs = await owner(app, 'undo-4')
      const undo = await archiveAll(theirs)
      const body = { trackingIds: 'ALL', undo }
      await refused(inboxPath(theirs.user, OTHER), patch(body, asOther), [200, 422])(app)
      assert.ok(await isArchived(theirs))
    }
  ],
  [
    'the same token twice',
    async app => {
      const mine = await owner(app, 'undo-5')
      const undo = await archiveAll(mine)
      assert.equal((await mine.change({ trackingIds: 'ALL', undo })).status, 200)
      assert.ok(!(await isArchived(mine)))
      await mine.change({ archived: new Date().toISOString() })
      assert.equal((await mine.change({ trackingIds: 'ALL', undo })).status, 200)
      assert.ok(await isArchived(mine), 'the action after the first undo stays')
    }
  ],
  [
    'a token whose action is no longer remembered',
    async app => {
      const mine = await owner(app, 'undo-6')
      const undo = await archiveAll(mine)
      for (let i = 0; i < 10; i += 1) {
        await mine.change({
          at: new Date().toISOString(),
          seen: new Date().toISOString(),
          trackingIds: 'ALL'
        })
        await mine.change({ opened: new Date(i).toISOString(), trackingIds: 'ALL' })
      }
      assert.equal((await mine.change({ trackingIds: 'ALL', undo })).status, 200)
      assert.ok(await isArchived(mine))
    }
  ],
  [
    'a token with marks of its own',
    async app => {
      const mine = await owner(app, 'undo-7')
      const undo = await archiveAll(mine)
      const { status } = await mine.change({ opened: new Date().toISOString(), trackingIds: 'ALL', undo })
      assert.equal(status, 422)
      assert.ok(await isArchived(mine))
    }
  ],
  ...[
    '',
    'x',
    'MS4x',
    'MS45OTk5OTk5OTk5OTk5OTk5',
    'MS4tMQ',
    'MS4xOyBkcm9wIHRhYmxlIHVzZXJz',
    'A'.repeat(5000)
  ].map((undo): Attack => [
    `a forged token ${undo.slice(0, 30)}`,
    refused(inboxPath(VICTIM), patch({ trackingIds: 'ALL', undo }, asUser(VICTIM)), [200, 422])
  ])
]

/** With a body that the attacks of this class could change. */
const FAR_PAST = '0001-01-01T00:00:00.000Z'
const FAR_FUTURE = '3026-11-20T00:00:00.000Z'

export const times: readonly Attack[] = [
  ...(['seen', 'opened', 'clicked', 'archived', 'actioned1'] as const).flatMap(mark =>
    [FAR_FUTURE, FAR_PAST].map((value): Attack => [
      `${mark} in ${value.slice(0, 4)} by a wrong clock does not block the next action`,
      async app => {
        const mine = await owner(app, `clock-${mark}-${value.slice(0, 4)}`)
        assert.equal((await mine.change({ at: value, [mark]: value })).status, 200)
        assert.equal((await mine.change({ [mark]: null })).status, 200)
        assert.equal((await mine.item())[mark], undefined, 'by a clock that is right')
        const now = new Date().toISOString()
        assert.equal((await mine.change({ at: now, [mark]: now })).status, 200)
        assert.equal((await mine.item())[mark], now)
      }
    ])
  ),
  [
    'an action on all in 3026 does not block the next action on one',
    async app => {
      const mine = await owner(app, 'clock-all')
      await mine.change({ archived: FAR_FUTURE, at: FAR_FUTURE, trackingIds: 'ALL' })
      assert.ok(await isArchived(mine))
      await mine.change({ archived: null })
      assert.ok(!(await isArchived(mine)))
    }
  ],
  [
    'a client that is 1,000 years ahead snoozes nothing for ever',
    async app => {
      const mine = await owner(app, 'clock-snooze')
      const refusedSnooze = await mine.change({ at: FAR_FUTURE, snoozedUntil: FAR_FUTURE })
      assert.equal(refusedSnooze.status, 422, refusedSnooze.text)
      const soon = new Date(Date.now() + 60_000).toISOString()
      assert.equal((await mine.change({ at: FAR_FUTURE, snoozedUntil: soon })).status, 200)
      assert.equal((await mine.change({ snoozedUntil: null })).status, 200)
      assert.equal((await mine.item()).snoozedUntil, undefined)
    }
  ],
  [
    'an action on items up to a version of the far future covers no later item',
    async app => {
      const mine = await owner(app, 'clock-through')
      await mine.change({
        archived: FAR_FUTURE,
        at: FAR_FUTURE,
        through: Number.MAX_SAFE_INTEGER,
        trackingIds: 'ALL'
      })
      const later = await owner(app, mine.user)
      await later.change({ opened: new Date(0).toISOString() })
      const item = await later.item()
      assert.deepEqual([item.archived, item.opened], [undefined, new Date(0).toISOString()])
    }
  ],
  ...[
    '+275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '10000-01-01T00:00:00Z',
    'infinity',
    '9'.repeat(15),
    '2026-02-30T00:00:00Z'
  ].map((value): Attack => [
    `the time ${value}`,
    refused(inboxPath(VICTIM), patch({ at: value, opened: value, trackingIds: 'ALL' }, asUser(VICTIM)), [422])
  ])
]

const manyTypes = (count: number): string => Array.from({ length: count }, (_, i) => `type${i}`).join(',')

export const views: readonly Attack[] = [
  ...['?view=all', '?view=archived', '?types=news', '/counts', '/counts?types=news'].map((query): Attack => [
    `the rows of another user by ${query}`,
    refused(`${inboxPath(VICTIM)}${query}`, { headers: asUser(ATTACKER) }, [401])
  ]),
  ...['?types=news&view=all', '/counts?types=news&tags=x'].map((query): Attack => [
    `the own rows by ${query} are the own ones`,
    refused(`${inboxPath('nobody')}${query}`, { headers: asUser('nobody') }, [200], ({ json, text }) => {
      assert.doesNotMatch(text, /Secret of the victim/)
      assert.deepEqual(json['items'] ?? [], [])
    })
  ]),
  [
    'the cursor of another user',
    async app => {
      const theirs = await owner(app, 'views-1', { title: 'Not for you' }, 3)
      const { next } = await theirs.inbox('?count=1')
      const answer = await app.ask(`${inboxPath(ATTACKER)}?cursor=${next}`, { headers: asUser(ATTACKER) })
      assert.equal(answer.status, 200)
      assert.doesNotMatch(answer.text, /Not for you/)
    }
  ],
  ...['MS4tMQ', 'MS4xZTk5', 'MS45OTk5OTk5OTk5OTk5OTk5', "' or 1=1", 'A'.repeat(8000)].map(
    (cursor): Attack => [
      `the cursor ${cursor.slice(0, 30)}`,
      refused(
        `${inboxPath(VICTIM)}?cursor=${encodeURIComponent(cursor)}`,
        { headers: asUser(VICTIM) },
        [200, 414, 422, 431]
      )
    ]
  ),
  ...['?types=', '/counts?types=', '/counts?tags='].map((query): Attack => [
    `51 names in ${query}`,
    refused(`${inboxPath(VICTIM)}${query}${manyTypes(51)}`, { headers: asUser(VICTIM) }, [422])
  ]),
  ...['?types=__proto__,constructor', '/counts?types=__proto__,toString', '/counts?tags=__proto__'].map(
    (query): Attack => [
      `inherited names in ${query}`,
      refused(`${inboxPath(VICTIM)}${query}`, { headers: asUser(VICTIM) }, [200], ({ json }) => {
        const byType = json['byType'] as Record<string, unknown> | undefined
        for (const value of Object.values(byType ?? {})) assert.equal(typeof value, 'number')
      })
    ]
  ),
  [
    'a view that does not exist',
    refused(`${inboxPath(VICTIM)}?view=all;--`, { headers: asUser(VICTIM) }, [422])
  ],
  [
    '50 types that match nothing cost little in a long inbox',
    async app => {
      await owner(app, 'views-long')
      await app.db.control`
        insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, content)
        select bucket, env_id, user_id, seq - n, gen_random_uuid(), notification_id, content
        from inbox_items cross join generate_series(1, 5000) n where user_id = 'views-long'`
      const asked = { headers: asUser('views-long') }
      for (const view of ['all', 'unread', 'archived', 'snoozed']) {
        await quick(`${inboxPath('views-long')}?view=${view}&types=${manyTypes(50)}`, asked)(app)
      }
      await quick(`${inboxPath('views-long')}/counts?types=${manyTypes(50)}`, asked)(app)
    }
  ]
]

export const updates: readonly Attack[] = [
  [
    'an update by the user',
    async app => {
      const mine = await owner(app, 'update-1')
      const asked = patch({ title: 'forged' }, asUser(mine.user))
      await refused(`${inboxPath(mine.user)}/${mine.ids[0]}`, asked, [401])(app)
    }
  ],
  [
    'an update by another environment, in both paths',
    async app => {
      const mine = await owner(app, 'update-2')
      const asked = patch({ title: 'forged' }, asOther)
      await refused(`${inboxPath(mine.user)}/${mine.ids[0]}`, asked, [401])(app)
      await refused(`${inboxPath(mine.user, OTHER)}/${mine.ids[0]}`, asked, [404])(app)
    }
  ],
  [
    'an update through the path of another user',
    async app => {
      const mine = await owner(app, 'update-3')
      await refused(`${inboxPath(VICTIM)}/${mine.ids[0]}`, patch({ title: 'forged' }, asBackEnd), [404])(app)
    }
  ],
  ...(
    [
      ['script as an address', { url: 'javascript:alert(1)' }],
      ['script as an address with a tab', { url: 'java\tscript:alert(1)' }],
      ['data as an image', { image: 'data:text/html,<script>alert(1)</script>' }],
      [
        'an address without a scheme on a button',
        { actions: [{ id: 'a', label: 'A', url: '//evil.example' }] }
      ],
      ['three buttons', { actions: ['a', 'b', 'c'].map(id => ({ id, label: id })) }],
      ['progress beyond its end', { progress: { value: 1e308 } }],
      ['no number as progress', { progress: { value: 'NaN' } }],
      ['ten thousand people', { actors: Array.from({ length: 10_000 }, () => ({ name: 'x' })) }],
      ['an icon with markup', { icon: '"><script>' }],
      ['a field of the stored row', { removed: true }],
      ['a mark of the user', { opened: '2026-11-20T00:00:00Z' }]
    ] as const
  ).map(([name, body]): Attack => [
    `an update with ${name}`,
    async app => {
      const mine = await owner(app, 'update-4')
      await refused(`${inboxPath(mine.user)}/${mine.ids[0]}`, patch(body, asBackEnd), [400, 422])(app)
    }
  ]),
  [
    'Liquid and markup in an update stay text',
    async app => {
      const mine = await owner(app, 'update-5', { title: '**bold**' })
      const title = '{{ secret }} **x** <img src=x onerror=alert(1)>'
      const answer = await app.ask(`${inboxPath(mine.user)}/${mine.ids[0]}`, patch({ title }, asBackEnd))
      assert.equal(answer.status, 200, answer.text)
      const item = await mine.item()
      assert.deepEqual([item.title, item.titleRuns], [title, undefined])
    }
  ]
]

const BUTTON = { actions: [{ id: 'go', label: 'Go', send: true }], reply: {}, title: 'x' }

export const buttons: readonly Attack[] = [
  [
    'a button of another user',
    async app => {
      const theirs = await owner(app, 'button-1', BUTTON)
      const asked = post({}, asUser(ATTACKER))
      await refused(`${inboxPath(theirs.user)}/${theirs.ids[0]}/actions/go`, asked, [401])(app)
      await refused(`${inboxPath(ATTACKER)}/${theirs.ids[0]}/actions/go`, asked, [404, 409])(app)
    }
  ],
  ...['__proto__', 'constructor', '0', '../approve', 'go%00'].map((name): Attack => [
    `a button named ${name}`,
    async app => {
      const mine = await owner(app, 'button-2', BUTTON)
      const path = `${inboxPath(mine.user)}/${mine.ids[0]}/actions/${encodeURIComponent(name)}`
      await refused(path, post({}, asUser(mine.user)), [400, 404, 409])(app)
    }
  ]),
  [
    'a reply of a megabyte',
    async app => {
      const mine = await owner(app, 'reply-1', BUTTON)
      const reply = { date: new Date().toISOString(), message: 'x'.repeat(900_000) }
      await refused(
        inboxPath(mine.user),
        patch({ reply, trackingIds: mine.ids }, asUser(mine.user)),
        [413, 422]
      )(app)
    }
  ],
  [
    'a reply to all notifications',
    refused(
      inboxPath(VICTIM),
      patch({ reply: { date: FAR_FUTURE, message: 'x' }, trackingIds: 'ALL' }, asUser(VICTIM)),
      [422]
    )
  ],
  [
    'a reply to the notification of another user',
    async app => {
      const theirs = await owner(app, 'reply-2', BUTTON)
      const reply = { date: new Date().toISOString(), message: 'forged' }
      await refused(
        inboxPath(ATTACKER),
        patch({ reply, trackingIds: theirs.ids }, asUser(ATTACKER)),
        [200]
      )(app)
      assert.equal((await theirs.item()).replies, undefined)
    }
  ],
  [
    'a thousand replies',
    async app => {
      const mine = await owner(app, 'reply-3', BUTTON)
      for (let i = 0; i < 150; i += 1) {
        await mine.change({ reply: { date: new Date(i).toISOString(), message: `reply ${i}` } })
      }
      assert.ok((await mine.item()).replies!.length <= 100)
    }
  ],
  [
    'markup in a reply stays text',
    async app => {
      const mine = await owner(app, 'reply-4', BUTTON)
      const message = '<script>alert(1)</script> **x** {{ secret }}'
      assert.equal((await mine.change({ reply: { date: new Date(0).toISOString(), message } })).status, 200)
      const { replies } = await mine.item()
      assert.deepEqual(
        replies!.map(reply => Object.keys(reply).toSorted()),
        [['date', 'message']]
      )
      assert.equal(replies![0]!.message, message)
    }
  ],
  [
    'a reply with members of its own',
    async app => {
      const mine = await owner(app, 'reply-5', BUTTON)
      const reply = { by: 'The director', date: new Date(0).toISOString(), message: 'x', system: true }
      await mine.change({ reply })
      const { replies } = await mine.item()
      assert.ok(!JSON.stringify(replies ?? []).includes('director'))
    }
  ]
]
