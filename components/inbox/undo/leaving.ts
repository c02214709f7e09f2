// How a row becomes its line, and a line becomes nothing; and where the pointer is meanwhile.

const LEAVE_MS = 140

/** Resolves when the height has changed; immediately if the user wants no motion. */
export async function animateHeight(element: HTMLElement, from: number, to: number): Promise<void> {
  if (from === to || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const easing = 'cubic-bezier(.2, .8, .2, 1)'
  const frames = [from, to].map(height => ({ blockSize: `${height}px` }))
  await element
    .animate(frames, { duration: LEAVE_MS, easing, fill: to === 0 ? 'forwards' : 'none' })
    .finished.catch(() => {})
}

/**
 * @param onLeave - called when a mouse leaves the list
 * @returns reads the vertical place of the mouse in the list; undefined if it is elsewhere
 */
export function watchPointer(
  root: HTMLElement | DocumentFragment,
  onLeave: () => void
): () => number | undefined {
  let y: number | undefined
  const onMove = (event: Event): void => {
    const { clientY, pointerType, target } = event as PointerEvent
    const isInList = pointerType === 'mouse' && (target as Element).closest('.list') !== null
    if (isInList) y = clientY
    else leave()
  }
  const leave = (): void => {
    if (y === undefined) return
    y = undefined
    onLeave()
  }
  root.addEventListener('pointermove', onMove)
  root.addEventListener('pointerdown', onMove)
  root.addEventListener('pointerout', event => {
    const to = (event as PointerEvent).relatedTarget as Element | null
    if (!to?.closest('.list')) leave()
  })
  return () => y
}
