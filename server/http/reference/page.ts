// Renders /docs from the OpenAPI document. The page can be read without its script, and requests nothing of other hosts.

import { html, type Html } from '../../core/html.ts'
import { copyButton } from './cards.ts'
import { prose, ShownLists } from './fields.ts'
import { highlight } from './highlight.ts'
import { icon, SYMBOLS } from './icons.ts'
import { methodMark, renderOperation, type Shared } from './operation.ts'
import { renderProblems } from './problems.ts'
import { capitalize, type Document, type Entry } from './reference-document.ts'

/** Values of the environment are shell variables, so the command can be pasted as it is. */
const FIRST = `curl "$NOTIFY_URL/$CLIENT_ID/sender" \\
  -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -H 'Idempotency-Key: comment-1' \\
  -d '{
  "type": "new_comment",
  "to": { "id": "amara" },
  "inapp": { "title": "Hello" }
}'`

interface Group {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly entries: readonly Entry[]
}

const SCHEMES = [
  ['auto', 'system', 'As the system'],
  ['light', 'light', 'Light'],
  ['dark', 'dark', 'Dark']
] as const

/** Without its script a page has no use for search and schemes, so these are hidden until the script shows them. */
const topBar = html`<header class="top">
  <button type="button" class="icon-button narrow" popovertarget="side" aria-label="Contents">
    ${icon('menu')}
  </button>
  <a class="brand" href="docs">notif-kit <span>REST reference</span></a>
  <button type="button" class="search" data-search hidden>
    ${icon('search', 'small')}<span>Search</span><kbd>Ctrl K</kbd>
  </button>
  <fieldset class="schemes" hidden>
    <legend class="sr">Colours</legend>
    ${SCHEMES.map(([value, name, label], i) => html`<label title="${label}"><input type="radio" name="scheme" value="${value}" aria-label="${label}" ${i === 0 && html` checked`} /><span>${icon(name, 'small')}</span></label>`)}
  </fieldset>
</header>`

const palette = html`<dialog class="palette" aria-label="Search">
    <div class="palette-head">
      ${icon('search', 'small')}<input
        type="text"
        role="combobox"
        aria-expanded="false"
        aria-controls="hits"
        aria-label="Search operations, fields and problems"
        placeholder="Operations, fields, problems"
        autocomplete="off"
        spellcheck="false"
      />
    </div>
    <div class="hits" id="hits" role="listbox" aria-label="Found"></div>
  </dialog>
  <p class="sr" role="status"></p>`

/** Indentation of the templates is a tenth of the page. Code keeps its lines. */
const compact = (page: string): string =>
  page
    .split(/((?<=<pre[^>]*>)<code>[^]*?<\/code><\/pre>)/)
    .map((part, i) => (i % 2 ? part : part.replaceAll(/\s*\n\s*/g, ' ')))
    .join('')

/** All addresses are relative, because a proxy may serve the pages below a path. */
/** @param people - ids of the people of the demo, to whom a reader may send; absent: this server is no demo */
const shell = (title: string, content: Html, people?: readonly string[]): string =>
  compact(
    html`<!doctype html>
      <html lang="en" ${people && html` data-people="${people.join(' ')}"`}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="docs/style.css" />
          <script type="module" src="docs/script.js"></script>
        </head>
        <body>
          ${SYMBOLS}<a class="skip" href="#main">Skip to the content</a>
          ${content}
        </body>
      </html> `.text
  )

const contents = ({ entries, title }: Group, i: number): Html =>
  html`<details class="group" ${i < 3 && html` open`}>
    <summary>${icon('chevron', 'small')}${title}<span>${entries.length}</span></summary>
    <ul>
      ${entries.map(
        ({ method, operationId, path, summary }) =>
          html`<li>
            <a href="#${operationId}" data-path="${path}">${methodMark(method)}<span>${summary}</span></a>
          </li>`
      )}
    </ul>
  </details>`

const section = ({ description, entries, name, title }: Group, shared: Shared): Html =>
  html`<section class="set" id="tag-${name}" aria-labelledby="tag-${name}.title">
      <header>
        <h2 id="tag-${name}.title">${title}</h2>
        <p>${prose(description)}</p>
      </header>
    </section>
    ${entries.map(entry => renderOperation(entry, title, shared))}`

function introduction({ info }: Document, count: number): Html {
  return html`<section class="operation" id="start" aria-labelledby="start.title">
    <header class="operation-head">
      <p class="kicker">notif-kit ${info.version}</p>
      <h1 id="start.title">REST reference</h1>
      <p>
        All ${count} operations of this server. The page is made of the
        <a href="openapi.json">OpenAPI document</a> of the version that runs, and its answers were recorded by
        tests.
      </p>
    </header>
    <div class="cards">
      <div class="card dark">
        <div class="card-head"><span>Your first request</span>${copyButton('Copy the request')}</div>
        <pre tabindex="0" role="group" aria-label="Your first request"><code>${highlight(FIRST)}</code></pre>
      </div>
    </div>
    <div class="operation-body prose"><p>${prose(info.description)}</p></div>
  </section>`
}

const problems = html`<section class="operation alone" id="problems" aria-labelledby="problems.title">
  <header class="operation-head">
    <h2 id="problems.title">Problems</h2>
    <p>
      Every error has the format of RFC 9457: <code>type</code>, <code>title</code>, <code>status</code>,
      <code>detail</code>, <code>instance</code> and, for wrong fields, <code>errors</code>.
    </p>
  </header>
  <div class="operation-body">${renderProblems()}</div>
</section>`

/**
 * Returns the page of all operations and problems.
 *
 * @param people - ids of the people of the demo, to whom a reader may send; absent: this server is no demo
 */
export function referencePage(document: Document, people?: readonly string[]): string {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry =>
      Object.assign({ method: method.toUpperCase(), path }, operation)
    )
  )
  const groups = document.tags.map(({ description, name }): Group => ({
    description,
    entries: entries.filter(({ tags }) => tags.includes(name)),
    name,
    title: capitalize(name)
  }))
  const shared = { components: document.components.schemas, shown: new ShownLists() }
  return shell(
    'notif-kit reference',
    html`${topBar}
      <div class="frame">
        <nav class="side" id="side" popover aria-label="Operations">
          <label class="filter" hidden
            >${icon('search', 'small')}<span class="sr">Filter operations by name or path</span
            ><input type="text" placeholder="Filter operations" autocomplete="off" spellcheck="false"
          /></label>
          <ul class="start">
            <li><a href="#start">Introduction</a></li>
            <li><a href="#problems">Problems</a></li>
            <li><a href="openapi.json">openapi.json</a></li>
          </ul>
          ${groups.map(contents)}
          <p class="nothing" hidden>No operation has these words. Fields and problems are in the search.</p>
        </nav>
        <main id="main">
          ${introduction(document, entries.length)} ${groups.map(group => section(group, shared))} ${problems}
        </main>
      </div>
      ${palette}`,
    people
  )
}

/** The page that the `type` of a problem links to. */
export const problemsPage = (): string =>
  shell(
    'Problems',
    html`<header class="top">
        <h1 class="brand">
          <a href="docs">notif-kit <span>REST reference</span></a>
        </h1>
      </header>
      <main id="main" class="single">${problems}</main>`
  )
