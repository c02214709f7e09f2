// The cards beside an operation: its request in four languages, and the answers that tests have recorded.

import { html, type Html } from '../../core/html.ts'
import { inSchemaOrder } from './fields.ts'
import { highlight } from './highlight.ts'
import { icon } from './icons.ts'
import { statusMark } from './problems.ts'
import type { Components, Content, Entry, Operation } from './reference-document.ts'
import { toCurl, toRequest } from './samples.ts'

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
export function renderRequest(entry: Entry, components: Components): Html {
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
export function renderAnswers({ responses }: Operation, components: Components): Html | undefined {
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
