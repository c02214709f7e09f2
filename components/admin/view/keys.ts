// Keys of the dashboard: one listener of the document, which knows the keys of everything that is shown, so that they can be listed.

export interface Key {
  /** One key, such as `j`, a chord with a space, such as `g n`, or `mod+k` for Ctrl or Cmd. */
  readonly key: string
  readonly text: string
  readonly run: (event: KeyboardEvent) => void
}

export type Keys = readonly Key[]

/** A second key counts for this long. */
const CHORD_MS = 1200

const OFF_KEY = 'notif-admin-single-keys'

const bound = new Set<() => Keys>()
let prefix = ''
let prefixAt = 0

/** Single keys can be switched off, because speech input may press them (WCAG 2.1.4). */
export const areSingleKeysOn = (): boolean => localStorage.getItem(OFF_KEY) !== 'off'

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF_KEY)
  else localStorage.setItem(OFF_KEY, 'off')
}

/** All keys that work now; those of the screen come last. */
export const listKeys = (): Keys => [...bound].flatMap(keys => keys())

const isField = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Types of inputs that take no text. */
const isTextField = (target: EventTarget | undefined): boolean =>
  isField(target) && !(target as HTMLElement).matches('[type=checkbox], [type=radio], [type=button]')

/** An open dialog takes the keys, also Escape. */
function hasOpenDialog(root: Document | ShadowRoot): boolean {
  if (root.querySelector('dialog:modal')) return true
  return [...root.querySelectorAll('*')].some(one => one.shadowRoot && hasOpenDialog(one.shadowRoot))
}

function toName({ altKey, ctrlKey, key, metaKey }: KeyboardEvent): string {
  const name = key.length === 1 ? key.toLowerCase() : key
  return `${ctrlKey || metaKey ? 'mod+' : ''}${altKey ? 'alt+' : ''}${name}`
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const name = toName(event)
  const isSingle = !name.startsWith('mod+')
  const [target] = event.composedPath()
  if (isSingle && (isTextField(target) || !areSingleKeysOn() || hasOpenDialog(document))) return
  const chord = Date.now() - prefixAt < CHORD_MS && prefix ? `${prefix} ${name}` : name
  prefix = ''
  const keys = listKeys()
  const key = keys.findLast(one => one.key === chord)
  if (key) {
    event.preventDefault()
    key.run(event)
  } else if (keys.some(one => one.key.startsWith(`${name} `))) {
    prefix = name
    prefixAt = Date.now()
  }
}

/** @returns a function that removes the keys */
export function bindKeys(keys: () => Keys): () => void {
  if (bound.size === 0) document.addEventListener('keydown', onKeyDown)
  bound.add(keys)
  return () => {
    bound.delete(keys)
    if (bound.size === 0) document.removeEventListener('keydown', onKeyDown)
  }
}
