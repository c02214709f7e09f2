// The theming page: sets of values, controls for each token, both schemes side by side, a contrast meter and the style sheet to copy.

import { contrast, paint, toHex } from './contrast.ts'
import { PRESETS, toCssValue, toStyleSheet, type Theme, type TokenValue } from './theme.ts'

interface Token {
  readonly name: string
  readonly label: string
  readonly unit?: string
  /** Private property of the elements with the current value. Default: the property of the same name. */
  readonly from?: string
}

const COLOURS: readonly Token[] = [
  { label: 'Accent', name: '--notif-accent' },
  { label: 'Text on accent', name: '--notif-on-accent' },
  { from: '--_accent', label: 'Badge', name: '--notif-bubble' },
  { label: 'Text', name: '--notif-text' },
  { label: 'Secondary text', name: '--notif-muted' },
  { label: 'Surface', name: '--notif-surface' },
  { label: 'Raised surface', name: '--notif-raised' },
  { label: 'Lines', name: '--notif-line' },
  { label: 'Edges of controls', name: '--notif-control' },
  { label: 'Unread row', name: '--notif-unread' },
  { label: 'Focus', name: '--notif-focus' }
]

const SIZES: readonly Token[] = [
  { from: '--_1', label: 'Space', name: '--notif-space', unit: 'px' },
  { label: 'Small corners', name: '--notif-radius-s', unit: 'px' },
  { label: 'Corners', name: '--notif-radius-m', unit: 'px' },
  { label: 'Large corners', name: '--notif-radius-l', unit: 'px' },
  { label: 'Touch target', name: '--notif-touch', unit: 'px' },
  { label: 'Animation', name: '--notif-slow', unit: 'ms' }
]

/** Pairs of the meter: what is painted, on which layers, and the least contrast (WCAG 2.2, 1.4.3 and 1.4.11). */
const PAIRS: readonly (readonly [label: string, ink: string, ground: readonly string[], least: number])[] = [
  ['Text', '--_text', ['--_surface'], 4.5],
  ['Text, unread and pointed at', '--_text', ['--_raised', '--_unread', '--_hover'], 4.5],
  ['Secondary text', '--_muted', ['--_surface'], 4.5],
  ['Secondary text, unread and pointed at', '--_muted', ['--_raised', '--_unread', '--_hover'], 4.5],
  ['Badge, main button', '--_on-accent', ['--_accent'], 4.5],
  ['Dot, switch, focus', '--_accent', ['--_raised', '--_unread'], 3],
  ['Edges of fields and switches', '--_control', ['--_raised'], 3]
]

const SCHEMES = ['light', 'dark'] as const

const root = document.documentElement
const find = <E extends Element = HTMLElement>(selector: string): E => document.querySelector<E>(selector)!
const form = find<HTMLFormElement>('[data-tokens]')
const panes = SCHEMES.map(scheme => find(`[data-pane="${scheme}"]`))

let theme: Theme = {}
const setters: (() => void)[] = []

/** Forced colours would replace every colour, so they are off for what is measured. */
const probes = panes.map(pane => {
  const probe = pane.appendChild(document.createElement('i'))
  probe.style.setProperty('forced-color-adjust', 'none')
  return probe
})

/** The value of a private property of the elements, for the scheme of a pane. It may contain `light-dark()`. */
const valueIn = (pane: number, name: string): string =>
  getComputedStyle(panes[pane]!.querySelector('notif-feed')!).getPropertyValue(name)

const propertyOf = ({ from, name }: Token): string => from ?? name.replace('--notif-', '--_')

/** Returns the number in px or ms. A minifier writes `320ms` as `.32s`. */
const numberOf = (value: string): number => Number.parseFloat(value) * (/\ds$/.test(value) ? 1000 : 1)

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = Object.assign(document.createElement(name), properties)
  node.append(...children)
  return node
}

function showMeter(): void {
  const rows = PAIRS.map(([label, ink, ground, least]) => {
    const cells = SCHEMES.map((_, pane) => {
      const layers = ground.map(name => valueIn(pane, name))
      const ratio = contrast(
        paint(probes[pane]!, ...layers, valueIn(pane, ink)),
        paint(probes[pane]!, ...layers)
      )
      const isEnough = ratio >= least
      const cell = element('td', {}, ratio.toFixed(1))
      cell.dataset['enough'] = String(isEnough)
      if (!isEnough) cell.append(' too little')
      return cell
    })
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, label),
      ...cells,
      element('td', {}, String(least))
    )
  })
  find('[data-meter]').replaceChildren(...rows)
}

function show(): void {
  for (const set of setters) set()
  find('[data-css]').textContent = toStyleSheet(theme)
  showMeter()
}

function apply(next: Theme): void {
  for (const name of Object.keys(theme)) root.style.removeProperty(name)
  theme = next
  for (const [name, value] of Object.entries(theme)) root.style.setProperty(name, toCssValue(value))
  show()
}

const choose = (name: string, value: TokenValue): void => apply({ ...theme, [name]: value })

/** A colour has a value for each scheme. The one that is not changed keeps what it shows. */
function colourControl(token: Token): HTMLElement {
  const inputs = SCHEMES.map((scheme, pane) => {
    const input = element('input', { type: 'color' })
    input.setAttribute('aria-label', `${token.label}, ${scheme}`)
    input.addEventListener('input', () => choose(token.name, [inputs[0]!.value, inputs[1]!.value]))
    setters.push(() => {
      const chosen = theme[token.name]
      const layers = [valueIn(pane, '--_surface'), valueIn(pane, propertyOf(token))]
      input.value = Array.isArray(chosen) ? chosen[pane]! : toHex(paint(probes[pane]!, ...layers))
    })
    return input
  })
  return element('div', { className: 'control' }, element('span', {}, token.label), ...inputs)
}

function sizeControl(token: Token): HTMLElement {
  const input = element('input', { min: '0', name: token.name, step: 'any', type: 'number' })
  input.addEventListener('input', () => choose(token.name, `${input.value}${token.unit!}`))
  // A number that is being typed stays as it is.
  setters.push(() => {
    if (input !== document.activeElement) input.value = String(numberOf(valueIn(0, propertyOf(token))))
  })
  return element('label', { className: 'control' }, `${token.label} (${token.unit!})`, input)
}

/** A set of values with its light and dark accent. */
function presetControl({ name, theme: preset }: (typeof PRESETS)[number], i: number): HTMLElement {
  const input = element('input', { checked: i === 0, name: 'preset', type: 'radio', value: name })
  input.addEventListener('change', () => apply(preset))
  const swatches = element('span', { className: 'swatches' })
  for (const token of ['--notif-surface', '--notif-accent']) {
    for (const scheme of SCHEMES) {
      const swatch = swatches.appendChild(element('i'))
      swatch.style.colorScheme = scheme
      swatch.style.background = preset[token] ? toCssValue(preset[token]) : `var(--default-${token.slice(8)})`
    }
  }
  return element('label', { className: 'preset' }, input, swatches, name)
}

/** One notification in each scheme, with the tokens of the set around it. */
function example({ name, theme: preset }: (typeof PRESETS)[number]): HTMLElement {
  const now = new Date().toISOString()
  const item = {
    actions: [
      { id: 'approve', label: 'Approve' },
      { id: 'later', label: 'Later' }
    ],
    body: 'All three gates.',
    date: now,
    id: 'gates',
    imageShape: 'square' as const,
    imageURL: '/img/pier.svg',
    rev: 0,
    title: 'Old Pier is open',
    type: 'pier'
  }
  const card = element('article', { className: 'example' }, element('h3', {}, name))
  for (const scheme of SCHEMES) {
    const feed = Object.assign(document.createElement('notif-feed'), {
      bordered: true,
      dataSource: [item],
      header: 'none',
      pagination: 'INFINITE_SCROLL'
    })
    const pane = element('div', { className: 'example-pane' }, feed)
    pane.style.colorScheme = scheme
    // What the page chose does not apply here.
    for (const { name: token } of [...COLOURS, ...SIZES]) pane.style.setProperty(token, 'initial')
    for (const [token, value] of Object.entries(preset)) pane.style.setProperty(token, toCssValue(value))
    card.append(pane)
  }
  return card
}

find('[data-presets]').append(...PRESETS.map(presetControl))
find('[data-colours]').append(...COLOURS.map(colourControl))
find('[data-sizes]').append(...SIZES.map(sizeControl))
find('[data-examples]').append(...PRESETS.map(example))

form.addEventListener('submit', event => event.preventDefault())
form.addEventListener('change', () => {
  const { dir, lang } = Object.fromEntries(new FormData(form)) as Record<string, string>
  root.dir = dir!
  root.lang = lang!
})
find('[data-reset]').addEventListener('click', () => {
  // Colour inputs have no empty value, so the form is not reset but filled.
  for (const select of form.querySelectorAll('select')) select.selectedIndex = 0
  form.querySelector<HTMLInputElement>('[name=preset]')!.checked = true
  root.dir = 'ltr'
  root.lang = 'en'
  apply({})
})
find('[data-copy]').addEventListener('click', async ({ currentTarget }) => {
  const status = find('[data-copied]')
  try {
    await navigator.clipboard.writeText(toStyleSheet(theme))
    status.textContent = 'Copied'
  } catch {
    // Browsers allow it on secure pages only.
    status.textContent = 'Select the text to copy it'
  }
  ;(currentTarget as HTMLElement | null)?.focus()
})
await customElements.whenDefined('notif-feed')
show()
