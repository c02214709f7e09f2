// What a user does, for states that somebody has to bring about; and what holds a moment that would pass.

const POLL_MS = 50
const WAIT_MS = 60_000

/** Resolves with the element in the shadow root of a kit element, as soon as it is there. */
export async function find(look: ParentNode, selector: string, host = '*'): Promise<HTMLElement> {
  const until = performance.now() + WAIT_MS
  while (performance.now() < until) {
    for (const element of look.querySelectorAll(host)) {
      const found = element.shadowRoot?.querySelector<HTMLElement>(selector)
      if (found) return found
    }
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`${selector} is not there`)
}

/** Presses a button of a kit element. */
export const press = async (look: ParentNode, selector: string): Promise<void> =>
  (await find(look, selector)).click()

/** Presses a button and waits for what it brings. A play ends when all is there, because until then nothing takes the focus. */
export async function pressFor(look: ParentNode, selector: string, wanted: string): Promise<void> {
  await press(look, selector)
  await find(look, wanted)
}

/** Chooses an item of the open menu. @param index - counts from the end if it is negative */
export async function choose(look: ParentNode, index: number): Promise<void> {
  const menu = await find(look, '.menu')
  ;[...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')].at(index)!.click()
}

/** The tools of an unread row, in the order of its menu on touch screens. */
const TOOLS = ['read', 'snooze', 'archive', 'fewer'] as const
const WITH_MENU: ReadonlySet<string> = new Set(['snooze', 'fewer'])

/** Presses a tool of a row, or chooses it from the menu of the row on a touch screen. */
export async function pressTool(look: ParentNode, row: string, tool: (typeof TOOLS)[number]): Promise<void> {
  if (!matchMedia('(pointer: coarse)').matches) return press(look, `#${row} [data-act="${tool}"]`)
  await press(look, `#${row} [data-act="more"]`)
  const label = (await find(look, '.menu')).getAttribute('aria-label')
  await choose(look, TOOLS.indexOf(tool))
  if (WITH_MENU.has(tool)) await find(look, `.menu:not([aria-label="${label}"])`)
}

/** Chooses a tab of the menu More, and waits for what it shows. */
export async function chooseTab(look: ParentNode, index: number, wanted: string): Promise<void> {
  await press(look, '.tab-more')
  await choose(look, index)
  await find(look, wanted)
}

/** The line of an action stays, with a part of its time left. */
export async function holdLine(look: ParentNode): Promise<void> {
  const left = await find(look, '.time-left')
  for (const animation of left.getAnimations()) {
    animation.pause()
    animation.currentTime = 1500
  }
}

/** Types into a field of a kit element. */
export async function type(look: ParentNode, selector: string, text: string): Promise<void> {
  const field = (await find(look, selector)) as HTMLTextAreaElement
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
