// The theming page: a control for each token that most brands touch, live, and the style sheet that it makes.

interface Token {
  readonly name: string
  readonly label: string
  /** What the control starts with. */
  readonly value: string
  readonly unit?: string
}

const COLOURS: readonly Token[] = [
  { label: 'Accent', name: '--notif-accent', value: '#2f54eb' },
  { label: 'On the accent', name: '--notif-on-accent', value: '#ffffff' },
  { label: 'Badge', name: '--notif-bubble', value: '#d4380d' },
  { label: 'Text', name: '--notif-text', value: '#1d1f24' },
  { label: 'Quiet text', name: '--notif-muted', value: '#5a5d66' },
  { label: 'Surface', name: '--notif-surface', value: '#ffffff' },
  { label: 'Raised surface', name: '--notif-raised', value: '#ffffff' },
  { label: 'Lines', name: '--notif-line', value: '#e3e5ea' },
  { label: 'Unread row', name: '--notif-unread', value: '#f3f6ff' },
  { label: 'Focus', name: '--notif-focus', value: '#2f54eb' }
]

const SIZES: readonly Token[] = [
  { label: 'Space', name: '--notif-space', unit: 'px', value: '4' },
  { label: 'Small corners', name: '--notif-radius-s', unit: 'px', value: '6' },
  { label: 'Corners', name: '--notif-radius-m', unit: 'px', value: '10' },
  { label: 'Large corners', name: '--notif-radius-l', unit: 'px', value: '16' },
  { label: 'Touch target', name: '--notif-touch', unit: 'px', value: '36' },
  { label: 'Movement', name: '--notif-slow', unit: 'ms', value: '320' }
]

const root = document.documentElement
const form = document.querySelector<HTMLFormElement>('[data-tokens]')!
const code = document.querySelector<HTMLElement>('[data-css]')!
const chosen = new Map<string, string>()

function show(): void {
  const lines = [...chosen].map(([name, value]) => `  ${name}: ${value};\n`)
  code.textContent = lines.length > 0 ? `:root {\n${lines.join('')}}` : '/* Nothing changed yet. */'
}

function choose({ name, unit = '' }: Token, value: string): void {
  chosen.set(name, value + unit)
  root.style.setProperty(name, value + unit)
  show()
}

function control(token: Token): HTMLLabelElement {
  const { label, name, unit, value } = token
  const input = Object.assign(document.createElement('input'), {
    defaultValue: value,
    min: '0',
    name,
    type: unit === undefined ? 'color' : 'number'
  })
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
})
form.addEventListener('reset', () => {
  for (const name of chosen.keys()) root.style.removeProperty(name)
  chosen.clear()
  root.style.colorScheme = ''
  root.dir = 'ltr'
  root.lang = 'en'
  show()
})
show()
