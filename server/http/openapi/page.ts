// Renders /docs from the OpenAPI document: plain HTML without scripts and without requests to other hosts.

import { hash } from 'node:crypto'

import { escapeHtml } from '../../core/escape-html.ts'
import { fieldsOf, prose, typeOf, type Components } from './schema-fields.ts'
import type { JsonSchema } from './schemas.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly JsonSchema[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: JsonSchema
  }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

type Content = Readonly<
  Record<
    string,
    {
      readonly schema: JsonSchema
      readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
    }
  >
>

export interface Document {
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Components }
}

/** Personal values are shell variables, so the command can be pasted as it is. */
const FIRST = `curl "$NOTIFY_URL/$CLIENT_ID/sender" -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -H 'Idempotency-Key: comment-1' -d '{
  "type": "new_comment",
  "to": { "id": "amara" },
  "inapp": { "title": "Hello" }
}'`

interface Entry extends Operation {
  readonly method: string
  readonly path: string
}

const STYLE = `
:root { color-scheme: light dark; --line: #d9dce1; --soft: #5a6270; --back: #f5f6f8; --mark: #0b57d0 }
@media (prefers-color-scheme: dark) { :root { --line: #3a3f47; --soft: #a3abb8; --back: #1b1e23; --mark: #8ab4f8 } }
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--mark) }
nav, main { padding: 1rem }
nav { border-bottom: 1px solid var(--line); font-size: .875rem }
nav ul { list-style: none; margin: 0 0 .75rem; padding: 0 }
nav a { display: block; padding: .125rem 0; text-decoration: none }
nav a:hover { text-decoration: underline }
nav strong { text-transform: capitalize }
main { max-width: 56rem; min-width: 0 }
h1 { margin-bottom: 0 }
h2 { border-bottom: 1px solid var(--line); margin: 3rem 0 0; padding-bottom: .25rem; text-transform: capitalize }
h3 { font-size: 1.0625rem; margin: 2.5rem 0 .25rem }
h4 { font-size: .875rem; margin: 1rem 0 .25rem }
p { margin: .25rem 0 .5rem }
code, pre { font: .8125rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
pre { background: var(--back); border-radius: .375rem; margin: .25rem 0; overflow-x: auto; padding: .75rem; white-space: pre-wrap }
main ul { border-left: 1px solid var(--line); list-style: none; margin: .25rem 0; padding: 0 0 0 .75rem }
main li { margin: .25rem 0 .625rem }
main li p { font-size: .9375rem; margin: 0 }
summary { cursor: pointer }
i, small { color: var(--soft); font-style: normal; font-size: .8125rem; overflow-wrap: anywhere }
b { font-size: .75rem }
:target h3 { color: var(--mark) }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17rem 1fr }
  nav { border: 0; border-right: 1px solid var(--line); height: 100vh; overflow-y: auto; position: sticky; top: 0 }
  main { padding: 1rem 2rem 4rem }
}
@media (max-width: 59.99rem) { nav ul { display: none } nav a { display: inline-block; padding: .25rem .75rem .25rem 0 } }
`

export const DOCS_POLICY =
  `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const WHO: Readonly<Record<string, string>> = { admin: 'operator', backEnd: 'back end', user: 'front end' }

/** @param base - path or address of the server, without a slash at the end */
export function docsPage(document: Document, base: string): string {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry =>
      Object.assign({ method: method.toUpperCase(), path }, operation)
    )
  )
  const groups = document.tags.map(tag => ({
    ...tag,
    entries: entries.filter(({ tags }) => tags.includes(tag.name))
  }))
  const contents = groups.map(
    ({ name, entries: inside }) =>
      `<a href="#tag-${escapeHtml(name)}"><strong>${escapeHtml(name)}</strong></a><ul>${inside.map(entry => `<li><a href="#${entry.operationId}">${escapeHtml(entry.summary)}</a></li>`).join('')}</ul>`
  )
  const sections = groups.map(
    ({ name, description, entries: inside }) =>
      `<h2 id="tag-${escapeHtml(name)}">${escapeHtml(name)}</h2><p>${prose(description)}</p>${inside.map(entry => section(entry, document.components.schemas)).join('\n')}`
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>notif-kit reference</title>
<style>${STYLE}</style>
<nav aria-label="Contents"><p><a href="${escapeHtml(base)}/openapi.json">openapi.json</a><a href="${escapeHtml(base)}/problems">Problems</a></p>
${contents.join('\n')}
</nav>
<main>
<h1>REST reference</h1>
<p><small>notif-kit ${escapeHtml(document.info.version)}</small></p>
<p>${prose(document.info.description)}</p>
<h4>Your first request</h4>
<pre>${escapeHtml(FIRST)}</pre>
${sections.join('\n')}
</main>
</html>
`
}

function section(entry: Entry, components: Components): string {
  const { description, method, operationId, parameters, path, security, summary } = entry
  const who = security.flatMap(way => Object.keys(way)).map(name => WHO[name] ?? name)
  return `<section id="${operationId}"><h3>${escapeHtml(summary)}</h3>
<p><code>${method} ${escapeHtml(path)}</code> <small>${who.length > 0 ? who.join(' or ') : 'anyone'}</small></p>
${description === undefined ? '' : `<p>${prose(description)}</p>`}
${parameters.length > 0 ? `<h4>Parameters</h4><ul>${parameters.map(parameterItem).join('')}</ul>` : ''}
${bodyOf(entry, components)}
${answersOf(entry, components)}</section>`
}

const parameterItem = ({ name, in: place, required, description, schema }: Operation['parameters'][number]) =>
  `<li><code>${escapeHtml(name)}</code> <small>${place}</small>${required ? ' <b>required</b>' : ''} <i>${escapeHtml(typeOf(schema))}</i>${description === undefined ? '' : `<p>${prose(description)}</p>`}</li>`

const example = (summary: string, value: unknown): string =>
  `<details><summary>${escapeHtml(summary)}</summary><pre>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre></details>`

function bodyOf({ requestBody }: Entry, components: Components): string {
  const content = requestBody?.content['application/json']
  if (!content) return ''
  const examples = Object.values(content.examples ?? {}).map(({ summary, value }) => example(summary, value))
  return `<h4>Body${requestBody!.required ? '' : ' (may be empty)'}</h4>${fieldsOf(content.schema, components)}${examples.join('\n')}`
}

function answersOf({ responses }: Entry, components: Components): string {
  const rows = Object.entries(responses).map(([status, { description, content }]) => {
    const body = content?.['application/json'] ?? content?.['application/x-ndjson']
    const schema = (body?.schema['contentSchema'] ?? body?.schema) as JsonSchema | undefined
    const fields = schema ? fieldsOf(schema, components) : ''
    const examples = Object.values(body?.examples ?? {}).map(({ summary, value }) => example(summary, value))
    const head = `<code>${status}</code> ${escapeHtml(description)}`
    return fields === ''
      ? `<li>${head}${examples.join('')}</li>`
      : `<li><details><summary>${head}</summary>${fields}</details>${examples.join('')}</li>`
  })
  return `<h4>Answers</h4><ul>${rows.join('\n')}</ul>`
}
