// Buttons, reply field, progress, people and appearance of in-app notifications: what content may say, and what an item gets.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import { contentSchemas, templateSchemas } from '../../../server/types/templates/content.ts'
import { buildExtras } from '../../../server/types/templates/in-app-extras.ts'
import { createRenderer } from '../../../server/types/templates/render.ts'

const renderer = createRenderer({ renderTimeoutMs: 200 })
after(() => renderer.close())

const schema = contentSchemas.INAPP_WEB

async function extrasOf(more: object, data = {}, defaults = {}) {
  const content = schema.parse({ title: 'T', ...more })
  const rendered = await renderer.render({ channel: 'INAPP_WEB', content, data, envId: 'e', replace: {} })
  assert.ok(rendered.ok, JSON.stringify(rendered))
  return buildExtras(content, rendered.fields, defaults)
}

test('renders the texts of buttons, people and progress', async () => {
  const extras = await extrasOf(
    {
      actions: [
        { id: 'approve', label: 'Approve {{ what }}', send: true },
        { id: 'plan', label: 'Open', style: 'danger', url: '/plans/{{ id }}?q={{ what }}' }
      ],
      actorCount: '{{ n }}',
      actors: [{ imageURL: 'https://x.example/{{ id }}.png', name: '{{ who }}' }, { name: '{{ nobody }}' }],
      icon: 'ok',
      imageShape: 'square',
      progress: { text: '{{ n }} of 20', value: '{{ share }}' },
      reply: { label: 'Reply to {{ who }}', max: 200 },
      tone: 3
    },
    { id: 7, n: 5, share: 0.25, what: 'winter fares', who: 'Nour' }
  )
  assert.deepEqual(extras, {
    actions: [
      { id: 'approve', label: 'Approve winter fares', send: true },
      { id: 'plan', label: 'Open', style: 'danger', url: '/plans/7?q=winter%20fares' }
    ],
    actorCount: 5,
    actors: [{ imageURL: 'https://x.example/7.png', name: 'Nour' }],
    icon: 'ok',
    imageShape: 'square',
    progress: { state: 'running', text: '5 of 20', value: 0.25 },
    reply: { label: 'Reply to Nour', max: 200 },
    tone: 3
  })
})

test('leaves out what is empty once rendered, or no number', async () => {
  const nothing = await extrasOf({
    actions: [
      { id: 'a', label: '{{ nothing }}' },
      { id: 'b', label: 'B', url: '{{ nothing }}' }
    ],
    actorCount: '{{ nothing }}',
    actors: [{ name: '{{ nothing }}' }],
    progress: { value: '{{ nothing }}' },
    reply: {}
  })
  assert.deepEqual(nothing, { progress: { state: 'running' }, reply: {} })
  const wrong = await extrasOf({ actorCount: '{{ n }}', progress: { value: '{{ n }}' } }, { n: 'many' })
  assert.deepEqual(wrong, { progress: { state: 'running' } })
})

test('the type says how an item looks, unless its content does', async () => {
  const type = { icon: 'ship', imageShape: 'square', tone: 2 } as const
  assert.deepEqual(await extrasOf({}, {}, type), type)
  assert.deepEqual(await extrasOf({ tone: 5 }, {}, type), { ...type, tone: 5 })
  assert.deepEqual(await extrasOf({}), {})
})

test('names what is wrong', () => {
  const faults = (more: object): string[] =>
    (schema.safeParse({ title: 'T', ...more }).error?.issues ?? []).map(({ path }) => path.join('.'))
  const button = { id: 'a', label: 'A' }
  for (const [more, ...expected] of [
    [{ actions: [button, { ...button, id: 'b' }, { ...button, id: 'c' }] }, 'actions'],
    [{ actions: [button, button] }, 'actions'],
    [{ actions: [{ ...button, url: 'javascript:alert(1)' }] }, 'actions.0.url'],
    [{ actions: [{ ...button, url: 'javascript:{{ x }}' }] }, 'actions.0.url'],
    [{ actions: [{ ...button, send: true, url: '/x' }] }, 'actions.0.send'],
    [{ actions: [{ ...button, id: 'a b' }] }, 'actions.0.id'],
    [{ actions: [{ ...button, label: '' }] }, 'actions.0.label'],
    [{ actions: [{ ...button, href: '/' }] }, 'actions.0'],
    [{ actorCount: -1 }, 'actorCount'],
    [{ actors: [{ name: 'A', imageURL: 'data:image/png,x' }] }, 'actors.0.imageURL'],
    [{ actors: Array.from({ length: 5 }, () => ({ name: 'A' })) }, 'actors'],
    [{ icon: 'skull' }, 'icon'],
    [{ imageShape: 'star' }, 'imageShape'],
    [{ progress: { value: 2 } }, 'progress.value'],
    [{ progress: { value: 'half' } }, 'progress.value'],
    [{ progress: { state: 'asleep' } }, 'progress.state'],
    [{ reply: { max: 10_001 } }, 'reply.max'],
    [{ tone: 7 }, 'tone']
  ] as const)
    assert.deepEqual(faults(more), expected, JSON.stringify(more))
})

test('a template is checked like a send, and its Liquid with the name of the field', () => {
  const content = templateSchemas.INAPP_WEB.parse({
    actions: [{ id: 'a', label: '{{ broken', url: '/{{ x }}' }],
    title: 'T'
  })
  assert.deepEqual(
    renderer.check('INAPP_WEB', content).map(({ field }) => field),
    ['actions.0.label']
  )
})

test('an address that is unsafe once rendered fails, as elsewhere', async () => {
  const content = schema.parse({ actions: [{ id: 'a', label: 'A', url: '{{ x }}' }], title: 'T' })
  const data = { x: 'javascript:alert(1)' }
  const rendered = await renderer.render({ channel: 'INAPP_WEB', content, data, envId: 'e', replace: {} })
  assert.ok(!rendered.ok)
  assert.equal(rendered.field, 'actions.0.url')
})
