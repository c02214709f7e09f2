// Shows every element in every state, each with its own in-memory inbox. With `?state=`, the page is the window of one state. Tests look
// at this page in every language and scheme.

import { html, render, type TemplateResult } from 'lit'

import '../components/all.ts'
import { answerGroup } from './states/answers.ts'
import { bellGroup } from './states/bells.ts'
import { highlight } from './states/highlight.ts'
import { listGroup } from './states/lists.ts'
import { panelGroup } from './states/panels.ts'
import { preferencesGroup } from './states/preferences.ts'
import { pictureGroup, rowGroup } from './states/rows.ts'
import type { Code, Group, State } from './states/state.ts'
import { undoGroup } from './states/undo.ts'
import { windowGroup } from './states/windows.ts'

const GROUPS: readonly Group[] = [
  rowGroup,
  answerGroup,
  pictureGroup,
  undoGroup,
  panelGroup,
  windowGroup,
  bellGroup,
  listGroup,
  preferencesGroup
]

const root = document.documentElement
const wanted = new URLSearchParams(location.search)
const find = <E extends Element = HTMLElement>(selector: string): E => document.querySelector<E>(selector)!
const toId = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-')

/** Shows the look or the code of a state. The look stays in the page, so that it keeps its state. */
function show({ currentTarget }: Event): void {
  const button = currentTarget as HTMLButtonElement
  const section = button.closest('section')!
  for (const one of section.querySelectorAll('[data-view]'))
    one.setAttribute('aria-pressed', String(one === button))
  const isCode = button.dataset['view'] === 'code'
  section.querySelector<HTMLElement>('.look')!.inert = isCode
  section.querySelector<HTMLElement>('.code')!.hidden = !isCode
}

const renderCode = (name: string, code: Code): TemplateResult =>
  html`<div class="code" tabindex="0" role="group" aria-label="Code of ${name}" hidden>
    ${Object.entries(code).map(
      ([title, text]) =>
        html`<p class="code-title">${title}</p>
          <pre><code>${highlight(text)}</code></pre>`
    )}
  </div>`

function renderWindow({ name, windowHeight }: State): TemplateResult {
  const query = new URLSearchParams([...wanted, ['state', toId(name)]])
  return html`<iframe src="?${query}" title=${name} loading="lazy" height=${windowHeight!}></iframe>`
}

const renderState = (state: State): TemplateResult => {
  const { code, look, name, play, size = 'third', windowHeight } = state
  const id = toId(name)
  return html`<section class="state" data-size=${size} id=${id} aria-labelledby="${id}-name">
    <div
      class=${windowHeight ? 'look has-window' : 'look'}
      data-play=${play && !windowHeight ? 'waiting' : 'done'}
    >
      ${windowHeight ? renderWindow(state) : look()}
    </div>
    ${renderCode(name, code)}
    <footer>
      <h3 id="${id}-name">${name}</h3>
      <div class="switch" role="group" aria-label=${name}>
        <button data-view="look" aria-pressed="true" @click=${show}>Look</button>
        <button data-view="code" aria-pressed="false" @click=${show}>Code</button>
      </div>
    </footer>
  </section>`
}

const renderGroup = ({ name, states }: Group): TemplateResult =>
  html`<h2 id="group-${toId(name)}">${name}</h2>
    <div class="states">${states.map(renderState)}</div>`

/** Nothing that is played takes the focus or scrolls the page. */
async function play({ name, play }: State, look: HTMLElement): Promise<void> {
  if (!play) return
  look.inert = true
  await play(look).catch((error: unknown) => console.warn(name, error))
  look.inert = false
}

function drawAll(): void {
  const links = GROUPS.map(
    ({ name, states }) =>
      html`<li>
        <a href="#group-${toId(name)}">${name}<span>${states.length}</span></a>
      </li>`
  )
  render(html`${links}`, find('.groups ul'))
  render(html`${GROUPS.map(renderGroup)}`, find('main'))
  playInSight()
}

/** Plays each state when it comes into sight: out of sight, an inbox does not load all of its code. */
function playInSight(): void {
  const waiting = new Map(
    GROUPS.flatMap(({ states }) => states)
      .filter(({ play, windowHeight }) => play && !windowHeight)
      .map(state => [find(`#${toId(state.name)} .look`), state])
  )
  let last: Promise<unknown> = Promise.resolve()
  const observer = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) {
      const state = waiting.get(target as HTMLElement)
      if (!isIntersecting || !state) continue
      observer.unobserve(target)
      waiting.delete(target as HTMLElement)
      // One after the other, because one menu closes another.
      last = last.then(() => play(state, target as HTMLElement))
      void last.then(() => target.setAttribute('data-play', 'done'))
    }
  })
  for (const look of waiting.keys()) observer.observe(look)
}

/** The window of one state. */
async function drawOne(id: string): Promise<void> {
  const state = GROUPS.flatMap(({ states }) => states).find(({ name }) => toId(name) === id)
  root.classList.add('window')
  if (!state) return
  document.title = state.name
  const main = find('main')
  render(state.look(), main)
  await play(state, main)
}

function dress(): void {
  root.lang = wanted.get('lang') ?? 'en'
  root.dir = root.lang === 'ar' ? 'rtl' : 'ltr'
  const scheme = wanted.get('scheme') ?? ''
  if (/^(?:light|dark)$/.test(scheme)) root.classList.add(scheme)
  const form = document.forms[0]!
  for (const select of form.querySelectorAll('select')) {
    const value = wanted.get(select.name)
    if (value !== null) select.value = value
  }
  form.addEventListener('change', () => {
    location.search = new URLSearchParams([...new FormData(form)] as [string, string][]).toString()
  })
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

dress()
const one = wanted.get('state')
if (one === null) {
  drawAll()
  watchGroups()
} else void drawOne(one)
