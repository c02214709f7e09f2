// The gallery. A state is built when it comes near the window and is played when it comes into sight, so the page is there at once.

import { html, render } from 'lit'

import { findState, GROUPS, toId } from './groups.ts'
import type { Group } from './state.ts'
import { buildLook, playLook, tileTemplate } from './tile.ts'

/** Distance from the window at which a state is built. */
const NEAR = '600px 0px'

const groupTemplate = ({ name, states }: Group) =>
  html`<h2 id="group-${toId(name)}">${name}</h2>
    <div class="states">${states.map(tileTemplate)}</div>`

const linkTemplate = ({ name, states }: Group) =>
  html`<li>
    <a href="#group-${toId(name)}">${name}<span>${states.length}</span></a>
  </li>`

type Work = (look: HTMLElement) => Promise<unknown>

/** Calls `work` once for each element that comes within the margin, one after the other. */
function onceInView(elements: Iterable<HTMLElement>, rootMargin: string, work: Work): void {
  let last: Promise<unknown> = Promise.resolve()
  const observer = new IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        observer.unobserve(target)
        last = last.then(() => work(target as HTMLElement))
      }
    },
    { rootMargin }
  )
  for (const element of elements) observer.observe(element)
}

const stateOf = (look: HTMLElement) => findState(look.parentElement!.id)!

const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame)

/** One state a frame, so that the page answers meanwhile. */
async function build(look: HTMLElement): Promise<void> {
  if (look.dataset['look'] !== 'waiting') return
  await nextFrame()
  buildLook(look, stateOf(look))
}

/** The side marks the group that is looked at. */
function watchGroups(): void {
  const observer = new IntersectionObserver(
    entries => {
      const seen = entries.find(({ isIntersecting }) => isIntersecting)
      if (!seen) return
      for (const link of document.querySelectorAll('.groups a')) {
        const isCurrent = link.getAttribute('href') === `#${seen.target.id}`
        if (isCurrent) link.setAttribute('aria-current', 'true')
        else link.removeAttribute('aria-current')
      }
    },
    { rootMargin: '0px 0px -70% 0px' }
  )
  for (const heading of document.querySelectorAll('h2')) observer.observe(heading)
}

export function drawGallery(main: HTMLElement, links: HTMLElement): void {
  render(GROUPS.map(linkTemplate), links)
  render(GROUPS.map(groupTemplate), main)
  const looks = [...main.querySelectorAll<HTMLElement>('.look')]
  onceInView(looks, NEAR, build)
  // Out of sight, an inbox does not load all of its code, so its play would wait.
  const played = looks.filter(look => stateOf(look).play && !stateOf(look).windowHeight)
  onceInView(played, '0px', async look => {
    await build(look)
    await playLook(look, stateOf(look))
  })
  watchGroups()
}
