// Shows every element in every state, each with its own in-memory inbox. Tests look at this page in every language and scheme.

import { html, render, type TemplateResult } from 'lit'

import '../components/all.ts'
import { GROUPS, type Group, type State } from './state-list.ts'

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

const renderState = ({ code, look, name, span = 3 }: State): TemplateResult =>
  html`<section class="state" data-span=${span} id=${toId(name)} aria-labelledby="${toId(name)}-name">
    <div class="look">${look()}</div>
    <pre class="code" tabindex="0" aria-label="Code of ${name}" hidden><code>${code}</code></pre>
    <footer>
      <h3 id="${toId(name)}-name">${name}</h3>
      <div class="switch" role="group" aria-label=${name}>
        <button data-view="look" aria-pressed="true" @click=${show}>Look</button>
        <button data-view="code" aria-pressed="false" @click=${show}>Code</button>
      </div>
    </footer>
  </section>`

const renderGroup = ({ name, states }: Group): TemplateResult =>
  html`<h2 id="group-${toId(name)}">${name}</h2>
    <div class="states">${states.map(renderState)}</div>`

function draw(): void {
  const links = GROUPS.map(
    ({ name, states }) =>
      html`<li>
        <a href="#group-${toId(name)}">${name}<span>${states.length}</span></a>
      </li>`
  )
  render(html`${links}`, document.querySelector<HTMLElement>('nav ul')!)
  render(html`${GROUPS.map(renderGroup)}`, document.querySelector('main')!)
}

function dress(): void {
  const wanted = new URLSearchParams(location.search)
  const { documentElement: root, forms } = document
  root.lang = wanted.get('lang') ?? 'en'
  root.dir = root.lang === 'ar' ? 'rtl' : 'ltr'
  const scheme = wanted.get('scheme') ?? ''
  if (/^(?:light|dark)$/.test(scheme)) root.classList.add(scheme)
  const form = forms[0]!
  for (const select of form.querySelectorAll('select')) {
    const value = wanted.get(select.name)
    if (value !== null) select.value = value
  }
  form.addEventListener('change', () => {
    location.search = new URLSearchParams([...new FormData(form)] as [string, string][]).toString()
  })
}

dress()
draw()
