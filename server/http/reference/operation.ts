// One operation: who may call it, its cards, parameters, body, answers and problems.

import { html, type Html } from '../../core/html.ts'
import type { JsonSchema } from '../openapi/schemas.ts'
import { copyButton, renderAnswers, renderRequest } from './cards.ts'
import { fieldsIn, listOrReference, prose, renderFields, type Field, type ShownLists } from './fields.ts'
import { icon } from './icons.ts'
import { problemsOf, statusMark } from './problems.ts'
import type { Components, Content, Entry } from './reference-document.ts'

const CALLERS: Readonly<Record<string, string>> = {
  admin: 'an operator, by the admin token',
  session: 'a member who signed in',
  backEnd: 'a back end, by client id and secret',
  user: 'a page, by the hash of its user'
}

function renderFacts({ method, parameters, security }: Entry): Html {
  const ways = security.flatMap(way => Object.keys(way))
  // Everything that a page may do, a back end may do, and everything that a back end may do, an operator.
  const [first] = ways
  const hasKey = parameters.some(({ name }) => name === 'Idempotency-Key')
  return html`<ul class="facts">
    <li>${icon('key', 'small')}Called by ${first === undefined ? 'anyone' : CALLERS[first]}</li>
    <li>
      ${icon('repeat', 'small')}${
        hasKey
          ? html`Safe to repeat with an <code>Idempotency-Key</code>`
          : method === 'POST' || method === 'PATCH'
            ? 'Each request counts'
            : 'Safe to repeat'
      }
    </li>
  </ul>`
}

/** Parameters in braces are marked. */
const renderPath = (path: string): readonly (Html | string)[] =>
  path.split(/(\{\w+\})/).map(part => (part.startsWith('{') ? html`<i>${part}</i>` : part))

export const methodMark = (method: string): Html =>
  html`<span class="method" data-method="${method}">${method === 'DELETE' ? 'DEL' : method}</span>`

const PLACES: Readonly<Record<string, string>> = {
  header: 'header',
  path: 'in the path',
  query: 'in the query'
}

function renderParameters(
  { operationId, parameters }: Entry,
  { components, shown }: Shared
): Html | undefined {
  if (parameters.length === 0) return undefined
  const fields = parameters.map(({ description, in: place, name, required, schema }): Field => ({
    description,
    isRequired: required === true,
    name,
    place: PLACES[place] ?? place,
    schema
  }))
  return html`<section class="part" data-at="${operationId}">
    <h3>Parameters</h3>
    ${renderFields(fields, { components, depth: 1, id: operationId, shown })}
  </section>`
}

function renderBody({ operationId, requestBody }: Entry, { components, shown }: Shared): Html | undefined {
  const content = requestBody?.content['application/json']
  if (!content) return undefined
  const fields = fieldsIn(content.schema, { components, depth: 1, id: `${operationId}.body`, shown })
  return html`<section class="part" data-at="${operationId}.body">
    <h3>Body <span class="meta">JSON${!requestBody!.required && ', may be empty'}</span></h3>
    ${fields}
  </section>`
}

/** The schema of an answer: that of one line if it is a stream of lines. */
function answerSchema(content: Content | undefined): JsonSchema | undefined {
  const media = content?.['application/json'] ?? content?.['application/x-ndjson']
  return (media?.schema['contentSchema'] ?? media?.schema) as JsonSchema | undefined
}

function renderResults({ operationId, responses }: Entry, { components, shown }: Shared): Html {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400)
  const wrong = new Set(
    Object.keys(responses)
      .map(Number)
      .filter(status => status >= 400)
  )
  const answers = good.map(([status, { content, description }]) => {
    const schema = answerSchema(content)
    const id = `${operationId}.${status}`
    const fields = schema ? fieldsIn(schema, { components, depth: 1, id, shown }) : []
    const { content: list, sameAs } = listOrReference(fields, { id, shown })
    const head = html`${statusMark(status)}<span>${description}</span>`
    return fields.length === 0
      ? html`<p class="answer">${head}</p>`
      : html`<details class="answer" ${sameAs !== undefined && html` data-same="${sameAs}"`} id="${id}">
          <summary>${head}${icon('chevron', 'small')}</summary>
          <div class="fields">${list}</div>
        </details>`
  })
  const problems = problemsOf(wrong).map(
    ({ slug, status, title }) => html`<li>${statusMark(status)}<a href="#${slug}">${title}</a></li>`
  )
  return html`<section class="part">
    <h3>Answers</h3>
    ${answers}${
      problems.length > 0 &&
      html`<details class="answer">
        <summary>
          <span class="status" data-class="4">4xx</span
          ><span>${problems.length} problems, and what to do about them</span>${icon('chevron', 'small')}
        </summary>
        <ul class="links">
          ${problems}
        </ul>
      </details>`
    }
  </section>`
}

/** What all operations of a page share. */
export interface Shared {
  readonly components: Components
  readonly shown: ShownLists
}

/** @param group - title of its group, whose address is `tag-` and the name */
export function renderOperation(entry: Entry, group: string, shared: Shared): Html {
  const { components } = shared
  const { deprecated, description, method, operationId, path, summary, tags } = entry
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}.title">
    <header class="operation-head">
      <p class="kicker"><a href="#tag-${tags[0]!}">${group}</a> / <code>${operationId}</code></p>
      <h2 id="${operationId}.title">${summary}</h2>
      <p class="route">
        ${methodMark(method)}<code>${renderPath(path)}</code>${copyButton('Copy the path', path)}
      </p>
      ${renderFacts(entry)}${deprecated && html`<p class="notice">For existing clients.</p>`}
      ${description !== undefined && html`<p>${prose(description)}</p>`}
    </header>
    <div class="cards">${renderRequest(entry, components)}${renderAnswers(entry, components)}</div>
    <div class="operation-body">
      ${renderParameters(entry, shared)}${renderBody(entry, shared)}${renderResults(entry, shared)}
    </div>
  </section>`
}
