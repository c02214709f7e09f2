// One operation: who may call it, its request in four languages, its answers, fields and problems.

import { html, type Html } from '../../core/html.ts'
import type { JsonSchema } from '../openapi/schemas.ts'
import {
  fieldsIn,
  inSchemaOrder,
  listOrReference,
  prose,
  renderFields,
  type Field,
  type ShownLists
} from './fields.ts'
import { highlight } from './highlight.ts'
import { icon } from './icons.ts'
import { problemsOf, statusMark } from './problems.ts'
import type { Components, Content, Entry, Operation } from './reference-document.ts'
import { toCurl, toRequest } from './samples.ts'

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

/** @param text - what is copied; absent: the code of the card that is shown */
export const copyButton = (name: string, text?: string): Html =>
  html`<button type="button" class="icon-button" data-copy="${text ?? ''}" aria-label="${name}" title="Copy">
    ${icon('copy', 'small')}
  </button>`

const codeBlock = (name: string, code: Html, key: string, isShown: boolean): Html =>
  html`<pre
    tabindex="0"
    role="group"
    aria-label="${name}"
    data-block="${key}"
    ${!isShown && html` hidden`}
  ><code>${code}</code></pre>`

interface Sample {
  readonly name: string
  readonly value?: unknown
}

function examplesOf(content: Content | undefined, components: Components): readonly Sample[] {
  const { examples = {}, schema = {} } = content?.['application/json'] ?? {}
  return Object.values(examples).map(({ summary, value }) => ({
    name: summary,
    value: inSchemaOrder(value, schema, components)
  }))
}

/** Names of the languages by their keys, in the order of their tabs. The script writes all but the first. */
const LANGUAGES = { curl: 'curl', node: 'Node', python: 'Python', go: 'Go' }

/** The languages are tabs; the examples of a body are a choice. */
function renderRequest(entry: Entry, components: Components): Html {
  const bodies = examplesOf(entry.requestBody?.content, components)
  const samples: readonly Sample[] = bodies.length > 0 ? bodies : [{ name: entry.summary }]
  const { credentials, method, path } = toRequest(entry)
  const tabs = Object.entries(LANGUAGES).map(
    ([language, name], i) =>
      html`<button
        type="button"
        class="tab"
        role="tab"
        data-language="${language}"
        aria-selected="${i === 0 ? 'true' : 'false'}"
        ${i > 0 && html` tabindex="-1" hidden`}
      >
        ${name}
      </button>`
  )
  const choice =
    samples.length > 1 &&
    html`<label class="example" hidden
      >Example
      <select data-example>
        ${samples.map(({ name }, i) => html`<option value="${i}">${name}</option>`)}
      </select></label
    >`
  const blocks = samples.map(({ name, value }, i) => {
    const { body, start } = toCurl(toRequest(entry, value))
    const code = html`${highlight(start)}${body !== undefined && html`<span data-body>${highlight(body)}</span>'`}`
    return codeBlock(`curl: ${name}`, code, `curl ${i}`, i === 0)
  })
  return html`<div
    class="card dark"
    data-method="${method}"
    data-path="${path}"
    data-credentials="${credentials}"
  >
    <div class="card-head">
      <div class="tab-list" role="tablist" aria-label="Language">${tabs}</div>
      ${copyButton('Copy the request')}
    </div>
    ${choice}${blocks}
  </div>`
}

/** An answer for each status below 400: the recorded example of a test, if there is one. */
function renderAnswers({ responses }: Operation, components: Components): Html | undefined {
  const answers = Object.entries(responses).flatMap(([status, { content }]) => {
    const media = content?.['application/json'] ?? content?.['application/x-ndjson']
    const shown = Object.values(media?.examples ?? {}).find(({ value }) => value !== undefined)
    if (!media || !shown || Number(status) >= 400) return []
    return [{ status, value: inSchemaOrder(shown.value, media.schema, components) }]
  })
  if (answers.length === 0) return undefined
  const tabs = answers.map(
    ({ status }, i) =>
      html`<button
        type="button"
        class="tab"
        role="tab"
        data-answer="${status}"
        aria-selected="${i === 0 ? 'true' : 'false'}"
        ${i > 0 && html` tabindex="-1"`}
      >
        ${statusMark(status)}
      </button>`
  )
  const blocks = answers.map(({ status, value }, i) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
    return codeBlock(`Answer ${status}`, highlight(text), status, i === 0)
  })
  return html`<div class="card">
    <div class="card-head">
      <div class="tab-list" role="tablist" aria-label="Answer">${tabs}</div>
      ${copyButton('Copy the answer')}
    </div>
    ${blocks}
  </div>`
}

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
