// Functions that run in the page: each is sent as text, so it uses nothing of this file but `find`, which it is given.

export type Find = (target: string) => HTMLElement[]

/**
 * Visible elements that a target names. Steps are separated by `>>`. A step is a CSS selector, for elements anywhere inside
 * those of the step before, also in their shadow roots; or a text in quotes, which keeps those that are named so or contain it.
 * Example: `notif-popup >> article >> "Spring" >> [data-act=archive]`
 */
export const find: Find = target => {
  const deep = (root: Document | Element | ShadowRoot, css: string): Element[] => [
    ...root.querySelectorAll(css),
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? deep(shadowRoot, css) : []))
  ]
  let found: Element[] = [document.documentElement]
  for (const step of target.split('>>').map(text => text.trim())) {
    if (step.startsWith('"')) {
      const text = step.slice(1, -1)
      found = found.filter(
        element => element.getAttribute('aria-label') === text || element.textContent.includes(text)
      )
    } else {
      found = found.flatMap(element => [
        ...(element.shadowRoot ? deep(element.shadowRoot, step) : []),
        ...deep(element, step)
      ])
    }
  }
  return [...new Set(found)].filter(element => {
    const { height, width } = element.getBoundingClientRect()
    return (
      height > 0 && width > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    )
  }) as HTMLElement[]
}

export const texts = (find: Find, target: string): string[] =>
  find(target).map(element => element.textContent.trim().replaceAll(/\s+/g, ' '))

export interface Spot {
  readonly x: number
  readonly y: number
}

/** The middle of the only such element, once it rests and nothing covers it; else why there is none. */
export async function spot(find: Find, target: string): Promise<Spot | string> {
  const elements = find(target)
  const element = elements[0]
  if (!element || elements.length > 1) return `${elements.length} elements`
  // Some engines do not scroll if it is in sight of its own list.
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  const place = (): string => JSON.stringify(element.getBoundingClientRect())
  const before = place()
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  if (place() !== before) return 'it moves'
  const box = element.getBoundingClientRect()
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  let hit = document.elementFromPoint(x, y)
  while (hit?.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y)
    // WebKit answers with an element outside if nothing inside is there.
    if (inner?.getRootNode() !== hit.shadowRoot) break
    hit = inner
  }
  const inside = (node: Node | null): boolean =>
    node !== null &&
    (node === element ||
      inside((node as Element).assignedSlot ?? node.parentNode ?? (node as ShadowRoot).host ?? null))
  return inside(hit) ? { x, y } : `<${hit?.localName} class="${hit?.className}"> covers it`
}

/** The element with the focus, as `button.bell Notifications`. */
export function focused(): string {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  const name =
    element?.getAttribute('aria-label') ?? (element?.textContent?.trim() || element?.getAttribute('title'))
  return `${element?.localName}.${element?.className.split(' ')[0] ?? ''} ${name}`
}

declare global {
  // Errors, warnings and violations of the policy of a page with RECORDER.
  var complaints: string[] | undefined
}

/** Records what a page complains about; WebDriver has no command that reads the console. */
export const RECORDER = `<script>
  globalThis.complaints = []
  addEventListener('error', event => complaints.push(event.message ?? 'failed: ' + event.target.outerHTML), true)
  addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)))
  addEventListener('securitypolicyviolation', event => complaints.push(event.violatedDirective))
  for (const level of ['error', 'warn']) {
    const write = console[level]
    console[level] = (...values) => {
      complaints.push(values.join(' '))
      write.apply(console, values)
    }
  }
</script>`

/** Answers the prompt for web push, which would move the rows when its code is loaded. */
export const NO_PUSH_PROMPT = `<script>localStorage.setItem('hideWebPushOptInMessage', 'true')</script>`
