// The theming page: a control for each token that most brands change, a live preview, and the style sheet to copy.

interface Token {
  readonly name: string
  readonly label: string
  readonly unit?: string
  /** Private property of the feed with the current value. Default: the property of the same name. */
  readonly from?: string
}

const SURFACE: Token = { label: 'Surface', name: '--notif-surface' }

const COLOURS: readonly Token[] = [
  { label: 'Accent', name: '--notif-accent' },
  { label: 'Text on accent', name: '--notif-on-accent' },
  { from: '--_accent', label: 'Badge', name: '--notif-bubble' },
  { label: 'Text', name: '--notif-text' },
  { label: 'Secondary text', name: '--notif-muted' },
  SURFACE,
  { label: 'Raised surface', name: '--notif-raised' },
  { label: 'Lines', name: '--notif-line' },
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

const root = document.documentElement
const form = document.querySelector<HTMLFormElement>('[data-tokens]')!
const code = document.querySelector<HTMLElement>('[data-css]')!
const feed = document.querySelector('notif-feed')!
const inputs = new Map<Token, HTMLInputElement>()
const chosen = new Map<string, string>()

const valueOf = ({ name, from = name.replace('--notif-', '--_') }: Token): string =>
  getComputedStyle(feed).getPropertyValue(from)

/** Returns the number in px or ms. A minifier writes `320ms` as `.32s`. */
const numberOf = (value: string): number => Number.parseFloat(value) * (/\ds$/.test(value) ? 1000 : 1)

// Resolves `light-dark()` on an element of the page. Forced colours would replace every colour, so they are off for it.
const probe = document.body.appendChild(document.createElement('i'))
probe.style.setProperty('forced-color-adjust', 'none')

const canvas = Object.assign(document.createElement('canvas'), { height: 1, width: 1 })
const pixel = canvas.getContext('2d', { willReadFrequently: true })!

/** Returns the colour as a colour input needs it, with transparent colours drawn over the ones before them. */
function hexOf(...colours: readonly string[]): string {
  for (const colour of colours) {
    probe.style.color = colour
    pixel.fillStyle = getComputedStyle(probe).color
    pixel.fillRect(0, 0, 1, 1)
  }
  const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map(part => part!.toString(16).padStart(2, '0')).join('')}`
}

/** Shows the current value in each control that the user has not changed, for the light or the dark scheme. */
function fill(): void {
  const surface = valueOf(SURFACE)
  for (const [token, input] of inputs) {
    const value = valueOf(token)
    input.defaultValue = token.unit === undefined ? hexOf(surface, value) : String(numberOf(value))
  }
}

function show(): void {
  const lines = [...chosen].map(([name, value]) => `  ${name}: ${value};\n`)
  code.textContent =
    lines.length > 0 ? `:root {\n${lines.join('')}}` : '/* Change a value to see the style sheet. */'
}

function choose({ name, unit = '' }: Token, value: string): void {
  chosen.set(name, value + unit)
  root.style.setProperty(name, value + unit)
  fill()
  show()
}

function control(token: Token): HTMLLabelElement {
  const { label, name, unit } = token
  const input = Object.assign(document.createElement('input'), {
    min: '0',
    name,
    type: unit === undefined ? 'color' : 'number'
  })
  inputs.set(token, input)
  input.addEventListener('input', () => choose(token, input.value))
  const place = document.createElement('label')
  place.append(unit === undefined ? label : `${label} (${unit})`, input)
  return place
}

function group(legend: string, tokens: readonly Token[]): HTMLFieldSetElement {
  const set = document.createElement('fieldset')
  set.append(Object.assign(document.createElement('legend'), { textContent: legend }), ...tokens.map(control))
  return set
}

form.lastElementChild!.before(group('Colours', COLOURS), group('Sizes', SIZES))
form.addEventListener('submit', event => event.preventDefault())
form.addEventListener('change', () => {
  const { dir, lang, scheme } = Object.fromEntries(new FormData(form)) as Record<string, string>
  root.style.colorScheme = scheme!
  root.dir = dir!
  root.lang = lang!
  fill()
})
form.addEventListener('reset', () => {
  for (const name of chosen.keys()) root.style.removeProperty(name)
  chosen.clear()
  root.style.colorScheme = ''
  root.dir = 'ltr'
  root.lang = 'en'
  fill()
  show()
})
show()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', fill)
await customElements.whenDefined('notif-feed')
fill()
