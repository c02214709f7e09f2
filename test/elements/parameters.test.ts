// Every parameter has an effect, the same in any order of setting, and none if its value is wrong.

import { expect, nextFrame } from '@open-wc/testing'
import { emulateMedia } from '@web/test-runner-commands'

import '../../components/feed/extras/extras.ts'
import { NotifCounter, NotifFeed, NotifLauncher, NotifPopup } from '../../components/index.ts'
import { harbour, world } from './support/harbour.ts'
import { inside, settled, show, waitUntil } from './support/page.ts'
import { PARAMETERS, type Parameter } from './support/parameters.ts'

const CLASSES: Readonly<Record<string, CustomElementConstructor>> = {
  counter: NotifCounter,
  feed: NotifFeed,
  launcher: NotifLauncher,
  popup: NotifPopup
}
const ITEMS = harbour()

/** What parameters change of the paint; all of it would take seconds. */
const PAINTED =
  'background-color block-size border-radius box-shadow color content display font-size grid-area grid-template-columns inline-size inset left margin max-height mask-image overflow padding position top translate z-index'.split(
    ' '
  )

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

const paint = (element: Element | null, pseudo?: string): string => {
  if (!element) return ''
  const style = getComputedStyle(element, pseudo)
  return PAINTED.map(name => `${name}:${style.getPropertyValue(name)}`).join(';')
}

/** Everything that could be seen of an element: its markup, its content in the page, and how both are painted. */
function look(element: HTMLElement): string {
  // Positions are set later, times change, and the bounds of groups depend on which rows arrived together.
  // Empty styles and slots are invisible, and may stay after a parameter was removed.
  const late =
    /<!--.*?-->| aria-(?:posinset|setsize)="-?\d+"| style=""|<slot name="extra-[^"]*"><\/slot>|\d+ min|\s+(?=["\s])/gs
  const blocks = /\s*<\/div>\s*<div class="block">\s*/g
  const markup = element.shadowRoot!.innerHTML.replaceAll(late, '').replaceAll(blocks, '')
  const light = element.innerHTML.replaceAll(late, '')
  const painted = [
    '.bell',
    '.badge',
    '.panel',
    '.list',
    'article',
    'article .title',
    'article .mark',
    '.avatar'
  ]
    .map(place => paint(inside(element, place)))
    .join('\n')
  return [markup, light, paint(element), painted, paint(inside(element, 'article'), '::before')].join('\n')
}

/** What it looks like once nothing changes any more. */
async function rest(element: HTMLElement): Promise<string> {
  const moves = (): boolean => element.shadowRoot!.getAnimations().length > 0
  let same = 0
  for (let before = '', now = look(element); ; before = now, now = look(element)) {
    same = before === now && !moves() ? same + 1 : 0
    // A skeleton is shown until the code is loaded.
    if (same > (inside(element, '.skeleton-row') ? 8 : 0)) return now
    await nextFrame()
    await (element as NotifFeed).updateComplete
  }
}

/** The first difference of two long texts, readable. */
function difference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return `${one.slice(Math.max(0, at - 80), at + 80)}\n--- instead of ---\n${other.slice(Math.max(0, at - 80), at + 80)}`
}

interface Making {
  readonly attributes?: Readonly<Record<string, string>>
  readonly early?: Readonly<Record<string, unknown>>
  readonly late?: Readonly<Record<string, unknown>>
  /** Defined only when it is on the page already. */
  readonly undefinedAtFirst?: boolean
}

async function make(name: string, parameter: Parameter, making: Making): Promise<HTMLElement> {
  const { store } = world({ items: parameter.empty ? [] : ITEMS })
  const known = `notif-${name}`
  const tag = making.undefinedAtFirst ? `${known}-${Math.random().toString(36).slice(2)}` : known
  const element = await show(`<${tag}></${tag}>`, raw => {
    for (const [key, value] of Object.entries(making.attributes ?? {})) raw.setAttribute(key, value)
    // Otherwise rows count as seen after a second, and a badge changes meanwhile.
    Object.assign(raw, { markOpened: 'never', store, ...parameter.beside, ...making.early })
  })
  if (making.undefinedAtFirst) {
    customElements.define(tag, class extends (CLASSES[name] as typeof NotifFeed) {})
    await settled(element)
  }
  if (element instanceof NotifPopup && !parameter.closed) await element.show()
  const ready = (): boolean => store.$loading.get().state === 'ready'
  if (name === 'feed') await waitUntil(() => ready() || inside(element, '.skeleton-row'))
  else await waitUntil(() => !parameter.empty || ready() || name === 'counter')
  await rest(element)
  Object.assign(element, making.late)
  return element
}

const bare = new Map<string, string>()

/** What it looks like without the parameter. */
async function untouched(name: string, parameter: Parameter): Promise<string> {
  const { beside, closed, empty } = parameter
  const key = JSON.stringify([name, beside, closed, empty])
  if (!bare.has(key)) {
    const element = await make(name, parameter, {})
    bare.set(key, await rest(element))
    remove(element)
  }
  return bare.get(key)!
}

const remove = (element: Element): void => element.parentElement!.remove()

for (const [name, parameters] of Object.entries(PARAMETERS)) {
  describe(`parameters of <notif-${name}>`, () => {
    beforeEach(() => emulateMedia({ reducedMotion: 'reduce' }))

    for (const parameter of parameters) {
      const { text, value, wrong } = parameter
      const shown = text ?? JSON.stringify(value()) ?? 'function'

      it(`${parameter.name}: ${shown.slice(0, 60)}`, async () => {
        const without = await untouched(name, parameter)

        const given = { [parameter.name]: value() }
        const late = await make(name, parameter, { late: given })
        await waitUntil(() => look(late) !== without, 'it changes something')
        const wanted = await rest(late)
        Object.assign(late, { [parameter.name]: undefined })
        await waitUntil(() => look(late) === without).catch(() => {
          throw new Error(`taken away: ${difference(look(late), without)}`)
        })
        remove(late)

        const ways: Record<string, Making> = {
          'before connection': { early: { [parameter.name]: value() } },
          'before definition': { early: { [parameter.name]: value() }, undefinedAtFirst: true }
        }
        if (text !== undefined) {
          ways['attribute'] = { attributes: { [kebab(parameter.name)]: text }, undefinedAtFirst: true }
        }
        for (const [way, making] of Object.entries(ways)) {
          const element = await make(name, parameter, making)
          await waitUntil(() => look(element) === wanted).catch(() => {
            throw new Error(`${way}: ${difference(look(element), wanted)}`)
          })
          if (way === 'attribute') {
            element.removeAttribute(kebab(parameter.name))
            await waitUntil(() => look(element) === without).catch(() => {
              throw new Error(`attribute taken away: ${difference(look(element), without)}`)
            })
          }
          remove(element)
        }

        if (wrong === undefined) return
        const warnings: string[] = []
        const { warn } = console
        console.warn = (line: string) => void warnings.push(line)
        try {
          const element = await make(name, parameter, { early: { [parameter.name]: wrong } })
          await waitUntil(() => warnings.length > 0, 'a warning')
          ;(element as NotifFeed).requestUpdate()
          const seen = await rest(element)
          if (seen !== without) throw new Error(difference(seen, without))
          expect(warnings.length).to.equal(1)
          expect(warnings[0]).to.contain(`<notif-${name}> ${parameter.name}`)
          remove(element)
        } finally {
          console.warn = warn
        }
      })
    }
  })
}

it('popupZIndex is 1030 by default', async () => {
  const launcher = await show<NotifLauncher>('<notif-launcher></notif-launcher>')
  expect(launcher.popupZIndex).to.equal(1030)
  expect(getComputedStyle(launcher).zIndex).to.equal('1030')
  expect((await show<NotifPopup>('<notif-popup></notif-popup>')).popupZIndex).to.equal(1030)
  launcher.popupZIndex = 7
  await waitUntil(() => getComputedStyle(launcher).zIndex === '7', 'what is said counts')
})

it('an empty text means the default, because Vue sets it for `undefined`', async () => {
  const warnings: string[] = []
  const { warn } = console
  console.warn = (line: string) => void warnings.push(line)
  const words = ['filter', 'image-shape', 'item-layout', 'page-position', 'pagination', 'size']
  try {
    const feed = await show<NotifFeed>(
      `<notif-feed ${words.map(name => `${name}=""`).join(' ')}></notif-feed>`,
      raw => {
        raw.store = world({ items: ITEMS }).store
      }
    )
    await waitUntil(() => inside(feed, 'article'))
    // The second of two warnings is logged after the first.
    feed.imageShape = 'triangle' as never
    await waitUntil(() => warnings.length > 0)
  } finally {
    console.warn = warn
  }
  expect(warnings.map(line => line.split(':')[0])).to.deep.equal(['<notif-feed> imageShape'])
})
