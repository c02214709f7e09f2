// What a user does, for states that somebody has to bring about; and what holds a moment that would pass.

const POLL_MS = 20
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

/** Chooses an item of the open menu. @param index - counts from the end if it is negative */
export async function choose(look: ParentNode, index: number): Promise<void> {
  const menu = await find(look, '.menu')
  ;[...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')].at(index)!.click()
}

/** Chooses a tab of the menu More. */
export async function chooseTab(look: ParentNode, index: number): Promise<void> {
  await press(look, '.tab-more')
  await choose(look, index)
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
