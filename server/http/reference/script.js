// What the reference can do beyond reading: colours, tabs, copying, the current place, the filter and the search.

const page = document.documentElement
const all = (selector, from = document) => [...from.querySelectorAll(selector)]
const status = document.querySelector('[role=status]')

// A page without storage works; it forgets the choice.
function remember(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(`docs-${key}`)
    localStorage.setItem(`docs-${key}`, value)
  } catch {}
  return null
}

// Colours: as the system, light or dark.
function setScheme(value) {
  if (value === 'auto') delete page.dataset.scheme
  else page.dataset.scheme = value
}

const schemes = all('[name=scheme]')
for (const input of schemes) {
  if (input.value === remember('scheme')) {
    input.checked = true
    setScheme(input.value)
  }
  input.addEventListener('change', () => {
    setScheme(input.value)
    remember('scheme', input.value)
  })
}

/** The request that the curl command of a card shows. */
function readRequest(card, example) {
  const { credentials, method, path } = card.dataset
  const body = card.querySelector(`[data-block="curl ${example}"] [data-body]`)?.textContent
  // The quotes of the shell are undone.
  return { body: body && JSON.parse(body.replaceAll(String.raw`'\''`, "'")), credentials, method, path }
}

/** Programs are written when a reader chooses their language. */
async function addSample(card, language, example) {
  const { renderSample } = await import('./samples.js')
  const key = `${language} ${example}`
  if (card.querySelector(`[data-block="${key}"]`)) return
  const curl = card.querySelector(`[data-block="curl ${example}"]`)
  const block = curl.cloneNode()
  block.dataset.block = key
  block.setAttribute('aria-label', curl.getAttribute('aria-label').replace('curl', language))
  block.append(create('code', {}, ...renderSample(language, readRequest(card, example))))
  card.append(block)
}

// Cards: the block of the chosen language and example, or of the chosen status.
async function showBlock(card) {
  const { answer, language } = card.querySelector('[aria-selected=true]')?.dataset ?? {}
  if (!answer && !language) return
  const example = card.querySelector('[data-example]')?.value ?? 0
  const key = answer ?? `${language} ${example}`
  if (language && language !== 'curl') await addSample(card, language, example)
  // Another language may have been chosen meanwhile.
  if (language !== card.querySelector('[aria-selected=true]').dataset.language) return
  for (const block of all('[data-block]', card)) block.hidden = block.dataset.block !== key
}

function selectTab(tab) {
  for (const other of all('[role=tab]', tab.parentElement)) {
    other.setAttribute('aria-selected', String(other === tab))
    other.tabIndex = other === tab ? 0 : -1
  }
  return showBlock(tab.closest('.card'))
}

/** A language is chosen for all cards, and for the next visit. */
const selectLanguage = language => Promise.all(all(`[data-language="${language}"]`).map(selectTab))

if (remember('language')) void selectLanguage(remember('language'))

async function activate(tab) {
  const { language } = tab.dataset
  if (!language) return selectTab(tab)
  // The other cards change their heights, and this one stays where it is.
  const before = tab.getBoundingClientRect().top
  await selectLanguage(language)
  scrollBy(0, tab.getBoundingClientRect().top - before)
  remember('language', language)
}

const COPIED_MS = 1500

async function copy(button) {
  const card = button.closest('.card')
  const text = button.dataset.copy || card.querySelector('pre:not([hidden])').textContent
  const use = button.querySelector('use')
  const icon = use.getAttribute('href')
  try {
    await navigator.clipboard.writeText(text)
    status.textContent = 'Copied'
    use.setAttribute('href', '#i-check')
  } catch {
    // Browsers allow it on secure pages only.
    status.textContent = 'Not copied: the browser does not allow it here'
  }
  setTimeout(() => {
    use.setAttribute('href', icon === '#i-check' ? '#i-copy' : icon)
    status.textContent = ''
  }, COPIED_MS)
}

// The search reads its entries from the page when it is first opened.
const palette = document.querySelector('.palette')
const input = palette?.querySelector('input')
const hits = palette?.querySelector('.hits')
const MAX_HITS_PER_KIND = 5
let entries

const pathOf = id => {
  const parts = id.split('.').slice(0, -1)
  return (parts.length > 3 ? [parts[0], '…', ...parts.slice(-2)] : parts).join(' › ')
}

function readEntries() {
  const operations = all('.side [data-path]').map(link => ({
    href: link.getAttribute('href'),
    kind: 'Operations',
    mark: link.firstElementChild,
    name: link.lastElementChild.textContent,
    place: link.dataset.path
  }))
  const fields = all('.field[id]').map(field => ({
    about: field.querySelector(':scope > p + p:not(.values)')?.textContent,
    href: `#${field.id}`,
    kind: 'Fields',
    name: nameOf(field).textContent,
    place: pathOf(field.id)
  }))
  const problems = all('.problems > li').map(row => ({
    about: row.querySelector('p').textContent,
    href: `#${row.id}`,
    kind: 'Problems',
    mark: row.querySelector('.status'),
    name: row.dataset.slug,
    place: row.dataset.status
  }))
  return [...operations, ...fields, ...problems]
}

const SCORES = { whole: 9, start: 7, wordStart: 6, inside: 4, elsewhere: 2 }

/** Words of a question that no entry is found by. */
const FILLERS = new Set([
  'a',
  'an',
  'and',
  'do',
  'for',
  'how',
  'i',
  'in',
  'my',
  'of',
  'one',
  'the',
  'to',
  'with'
])

/** 0: a word is not found. An operation comes before its fields of the same name. */
function score({ about = '', kind, name, place }, words) {
  const title = name.toLowerCase()
  const rest = `${place} ${about}`.toLowerCase()
  let sum = kind === 'Operations' ? SCORES.elsewhere : 0
  for (const word of words) {
    const at = title.indexOf(word)
    if (title === word) sum += SCORES.whole
    else if (at === 0) sum += SCORES.start
    else if (at > 0) sum += /[a-z]/.test(title[at - 1]) ? SCORES.inside : SCORES.wordStart
    else if (rest.includes(word)) sum += SCORES.elsewhere
    else return 0
  }
  return sum
}

function readWords() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  const telling = words.filter(word => !FILLERS.has(word))
  return telling.length > 0 ? telling : words
}

function create(name, attributes, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children)
  return node
}

function renderHit({ about, href, mark, name, place }, id) {
  const text = create('span', { class: 'hit-name' }, name)
  if (about) text.append(create('em', {}, about))
  const first = mark ? mark.cloneNode(true) : create('span', { class: 'meta' }, 'field')
  const attributes = { 'aria-selected': 'false', href, id, role: 'option', tabindex: '-1' }
  return create('a', attributes, first, text, create('small', {}, place))
}

function selectHit(index) {
  const rows = all('[role=option]', hits)
  for (const [i, row] of rows.entries()) row.setAttribute('aria-selected', String(i === index))
  rows[index]?.scrollIntoView({ block: 'nearest' })
  if (rows[index]) input.setAttribute('aria-activedescendant', rows[index].id)
  else input.removeAttribute('aria-activedescendant')
}

function search() {
  entries ??= readEntries()
  const words = readWords()
  const found = entries
    .map(entry => ({ entry, score: score(entry, words) }))
    .filter(hit => (words.length > 0 ? hit.score > 0 : hit.entry.kind === 'Operations'))
    .toSorted((a, b) => b.score - a.score)
  const kinds = [...new Set(found.map(({ entry }) => entry.kind))]
  const groups = kinds.map(kind => {
    const rows = found
      .filter(({ entry }) => entry.kind === kind)
      .slice(0, MAX_HITS_PER_KIND)
      .map(({ entry }, i) => renderHit(entry, `hit-${kind}-${i}`))
    return create(
      'div',
      { 'aria-label': kind, role: 'group' },
      create('h3', { 'aria-hidden': 'true' }, kind),
      ...rows
    )
  })
  hits.replaceChildren(...groups)
  if (groups.length === 0) {
    hits.append(
      create(
        'p',
        {},
        `Nothing has the words “${input.value}”. Fields have the names of the JSON, problems their slug or status.`
      )
    )
  }
  input.setAttribute('aria-expanded', String(groups.length > 0))
  selectHit(0)
  status.textContent = words.length > 0 ? `${found.length} found` : ''
}

function openSearch() {
  if (!palette || palette.open) return
  palette.showModal()
  input.select()
  search()
}

function onSearchKey(event) {
  const rows = all('[role=option]', hits)
  const at = rows.findIndex(row => row.getAttribute('aria-selected') === 'true')
  if (event.key === 'Enter') rows[at]?.click()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || rows.length === 0) return
  event.preventDefault()
  selectHit((at + step + rows.length) % rows.length)
}

input?.addEventListener('input', search)
input?.addEventListener('keydown', onSearchKey)
palette?.addEventListener('click', ({ target }) => {
  if (target === palette || target.closest('a')) palette.close()
})

// The filter of the side.
const filter = document.querySelector('.filter')
const filterInput = filter?.querySelector('input')

function applyFilter() {
  const words = filterInput.value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const group of all('.group')) {
    const items = all('li', group)
    for (const item of items) {
      const text = `${item.textContent} ${item.firstElementChild.dataset.path}`.toLowerCase()
      item.hidden = !words.every(word => text.includes(word))
    }
    const found = items.filter(item => !item.hidden).length
    group.hidden = found === 0
    if (words.length > 0) group.open = true
    count += found
  }
  document.querySelector('.nothing').hidden = count > 0
}

filterInput?.addEventListener('input', applyFilter)
filterInput?.addEventListener('keydown', event => {
  if (event.key !== 'Escape' || filterInput.value === '') return
  event.stopPropagation()
  filterInput.value = ''
  applyFilter()
})

// The side marks the operation that is read.
const links = new Map(all('.side a[href^="#"]').map(link => [link.hash.slice(1), link]))

function mark(link) {
  for (const other of links.values()) if (other !== link) other.removeAttribute('aria-current')
  if (!link || link.hasAttribute('aria-current')) return
  link.setAttribute('aria-current', 'location')
  const group = link.closest('details')
  if (group) group.open = true
  const side = link.closest('.side')
  const place = link.getBoundingClientRect()
  const frame = side.getBoundingClientRect()
  const isOutside = place.top < frame.top + 80 || place.bottom > frame.bottom - 40
  if (isOutside) side.scrollTop += place.top - frame.top - frame.height / 3
}

const visible = new Set()
const observer = new IntersectionObserver(
  changes => {
    for (const { isIntersecting, target } of changes) visible[isIntersecting ? 'add' : 'delete'](target)
    const first = all('.operation').find(operation => visible.has(operation))
    if (first) mark(links.get(first.id))
  },
  // A band below the top bar: the operation in it is read.
  { rootMargin: '-100px 0px -66% 0px' }
)
if (links.size > 0) for (const operation of all('.operation')) observer.observe(operation)

// Fields get their addresses here, because each follows from the place of its field, and there are more than a thousand.
const nameOf = field => field.querySelector(':scope > p > a')

/** @param at - address of the list */
function addressFields(list, at) {
  for (const child of list.children) {
    const isField = child.matches('.field')
    if (isField) {
      child.id ||= `${at}.${nameOf(child).textContent}`
      nameOf(child).href = `#${child.id}`
    }
    // Fields are folded in their field, and older names in their list.
    const inner = child.querySelector(isField ? ':scope > .fold > .fields' : ':scope > .fields')
    if (inner) addressFields(inner, isField ? child.id : at)
  }
}

for (const part of all('.part[data-at]')) addressFields(part, part.dataset.at)
for (const answer of all('.answer[id]')) addressFields(answer.querySelector(':scope > .fields'), answer.id)

/** A list that stands elsewhere in the page is copied when a reader opens it. */
function fill(fold) {
  const source = document.getElementById(fold.dataset.same)
  delete fold.dataset.same
  const copy = source.querySelector(':scope > .fold > .fields, :scope > .fields').cloneNode(true)
  for (const node of all('[id]', copy)) node.removeAttribute('id')
  fold.querySelector(':scope > .fields').replaceWith(copy)
  addressFields(copy, fold.id || fold.closest('.field').id)
}
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.open && target.dataset.same) fill(target)
  },
  true
)

/** Finds the element of an address, also in a list that is not copied yet. */
function findTarget(id) {
  for (;;) {
    const found = document.getElementById(id)
    const parts = id.split('.')
    const near = parts
      .map((_, i) => document.getElementById(parts.slice(0, i + 1).join('.')))
      .findLast(Boolean)
    const fold = near?.dataset.same ? near : near?.querySelector(':scope > [data-same]')
    if (found || !fold) return found
    fill(fold)
  }
}

/** A link to a field opens what it lies in. */
function reveal() {
  const target = findTarget(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details'))
    fold.open = true
  // The browser looked for it before it had its address.
  if (!target.matches(':target')) location.replace(location.hash)
  target.scrollIntoView()
}
addEventListener('hashchange', reveal)

document.addEventListener('change', ({ target }) => {
  if (target.matches('[data-example]')) void showBlock(target.closest('.card'))
})
document.addEventListener('click', ({ target }) => {
  const tab = target.closest('[role=tab]')
  if (tab) void activate(tab)
  const button = target.closest('[data-copy]')
  if (button) void copy(button)
  if (target.closest('[data-search]')) openSearch()
  if (target.closest('.side a')) document.querySelector('.side:popover-open')?.hidePopover()
})
document.addEventListener('keydown', event => {
  const { target } = event
  const tab = target.closest?.('[role=tab]')
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (tab && step) {
    const tabs = all('[role=tab]', tab.parentElement)
    const way = getComputedStyle(tab).direction === 'rtl' ? -step : step
    const next = tabs[(tabs.indexOf(tab) + way + tabs.length) % tabs.length]
    next.focus()
    void activate(next)
  }
  const isTyping = target.matches?.('input, textarea, select')
  const isShortcut = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)
  if (isShortcut || (event.key === '/' && !isTyping)) {
    event.preventDefault()
    openSearch()
  }
})

for (const hidden of all('[data-search], .schemes, .filter, .tab, .example')) hidden.hidden = false
if (/Mac|iP/.test(navigator.platform)) for (const key of all('.search kbd')) key.textContent = '⌘K'
if (location.hash) reveal()
if (page.dataset.people)
  void import('./try.js').then(({ offerTry }) => offerTry(page.dataset.people.split(' ')))
