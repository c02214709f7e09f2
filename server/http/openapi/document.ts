// Builds the OpenAPI 3.1 document from the routes and their `doc`.

import { TITLES } from '../problem.ts'
import { rolesOf } from '../roles.ts'
import { TAGS, type Doc, type Example } from '../route-doc.ts'
import type { Route, AccessLevel } from '../route.ts'
import { scopesOf } from '../scopes.ts'
import {
  HEADERS,
  HEADERS_TOO_LARGE,
  IDEMPOTENCY_KEY,
  PRECONDITIONS,
  PROBLEM,
  SECURITY
} from './components.ts'
import { namesIn, PARAMETERS } from './parameters.ts'
import { queryParameters, createSchemas, type Schemas } from './schemas.ts'

type Json = Readonly<Record<string, unknown>>
type Documented = Route & { readonly doc: Doc }

export interface DocumentOptions {
  readonly version: string
  /** Address of the server without a slash at the end, or `''` for the address that the document was loaded from. */
  readonly server: string
  readonly answers: RecordedAnswers
}

/** Answers of the server to the examples, by operation id and name of the example. A test records them. */
export type RecordedAnswers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Returns the OpenAPI document of all routes that have a `doc`. */
export function openApi(routes: readonly Route[], { answers, version, server }: DocumentOptions): Json {
  const documented = routes.filter(isDocumented)
  const schemas = createSchemas(documented.map(({ doc }) => doc))
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of documented) {
    const path = templateOf(route.path)
    const also = routes
      .filter(({ aliasOf, method }) => aliasOf === route.path && method === route.method)
      .map(alias => templateOf(alias.path))
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operation(route, { also, answers, schemas })
    }
  }
  const used = new Set(documented.map(({ doc }) => doc.tag))
  return {
    components: {
      headers: HEADERS,
      schemas: { ...schemas.all, Problem: PROBLEM },
      securitySchemes: SECURITY
    },
    info: { description: ABOUT, license: { identifier: 'MIT', name: 'MIT' }, title: 'notif-kit', version },
    openapi: '3.1.0',
    paths,
    servers: [{ url: server === '' ? '.' : server }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name as Doc['tag']))
      .map(([name, description]) => ({ description, name }))
  }
}

/** An alias has no entry: the entry of its target names it. */
const isDocumented = (route: Route): route is Documented =>
  route.doc !== undefined && route.aliasOf === undefined

const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

const ABOUT = `Self-hosted notifications: in-app, email, SMS, calls, mobile push, web push and Slack.

A back end sends Basic credentials, \`clientId:clientSecret\`. A service may send an API key instead, as a bearer token.

A page sends Basic credentials, \`clientId:userId:userHash\`, with
\`userHash = base64(HMAC-SHA256(clientSecret, userId))\`.

An operator sends the admin token as a bearer token, also for the routes of an environment. A member who signed in to the dashboard sends
the cookie of the session, and with every write the header \`X-CSRF-Token\` from \`GET /operators/session\`; each operation lists the
roles that may call it. Their writes, and their looks at data of users, are in the audit log.

Every error has the format of RFC 9457; \`/problems\` says what to do about each type.`

/** A back end may call every route of its users, and an operator every route of an environment. */
function securityOf(route: Route): readonly Json[] {
  const operator = [{ admin: [] }, { session: rolesOf(route) }]
  const trusted = [{ backEnd: [] }, { apiKey: scopesOf(route) }, ...operator]
  const ways: Readonly<Record<AccessLevel, readonly Json[]>> = {
    admin: operator,
    anyone: [],
    'back-end': trusted,
    member: [{ session: rolesOf(route) }],
    user: [{ user: [] }, ...trusted]
  }
  return ways[route.access]
}

interface Parts {
  /** Other paths of the operation, for front ends. */
  readonly also: readonly string[]
  readonly answers: RecordedAnswers
  readonly schemas: Schemas
}

function operation(route: Documented, { also, answers, schemas }: Parts): Json {
  const { body, bodyOptional, conditional, deprecated, examples, operationId, query, summary, tag } =
    route.doc
  const aliases = also.map(
    path => `Front ends may also call \`${path}\`, because their token names the user.`
  )
  const description = [route.doc.description, ...aliases].filter(text => text !== undefined).join('\n\n')
  return {
    operationId,
    summary,
    ...(description !== '' && { description }),
    ...(deprecated && { deprecated }),
    tags: [tag],
    security: securityOf(route),
    parameters: [
      ...namesIn(route.path).map(pathParameter),
      ...(query ? queryParameters(query).map(parameter => withExample(parameter, examples)) : []),
      ...(['POST', 'PATCH'].includes(route.method) ? [IDEMPOTENCY_KEY] : []),
      ...(conditional ? PRECONDITIONS : [])
    ],
    ...(body && {
      requestBody: {
        content: {
          'application/json': {
            examples: named(examples, ({ body: value }) => value),
            schema: schemas.ref(body)
          }
        },
        required: !bodyOptional
      }
    }),
    responses: responses(route, schemas, answers[operationId])
  }
}

const pathParameter = (name: string): Json => {
  const { description = name, example } = PARAMETERS[name] ?? {}
  return {
    description,
    ...(example !== undefined && { example }),
    in: 'path',
    name,
    required: true,
    schema: { type: 'string' }
  }
}

/** The value of the first example that is answered and has the parameter, in the type of the parameter. */
function withExample(parameter: Json, examples: readonly Example[]): Json {
  const name = parameter['name'] as string
  const text = examples.find(({ query, status }) => status < 400 && query?.[name] !== undefined)?.query![name]
  if (text === undefined) return parameter
  const { type } = parameter['schema'] as Json
  return { ...parameter, example: type === 'integer' || type === 'number' ? Number(text) : text }
}

function named(examples: readonly Example[], valueOf: (example: Example) => unknown): Json {
  const shown = examples.filter(example => example.status < 400 && valueOf(example) !== undefined)
  return Object.fromEntries(
    shown.map(example => [slug(example.name), { summary: example.name, value: valueOf(example) }])
  )
}

const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')

function responses(
  { doc, access, method }: Documented,
  schemas: Schemas,
  answers: RecordedAnswers[string] = {}
): Json {
  const statuses = [...new Set(doc.examples.map(({ status }) => status))].toSorted((a, b) => a - b)
  const good = statuses
    .filter(status => status < 400)
    .map(status => {
      const shown = doc.examples.filter(example => example.status === status)
      const content = doc.answer &&
        status !== 204 && {
          content: doc.lines
            ? {
                'application/x-ndjson': {
                  examples: named(shown, ({ name }) => toLines(answers[name])),
                  schema: {
                    contentMediaType: 'application/x-ndjson',
                    contentSchema: schemas.ref(doc.answer),
                    type: 'string'
                  }
                }
              }
            : {
                'application/json': {
                  examples: named(shown, ({ name }) => answers[name]),
                  schema: schemas.ref(doc.answer)
                }
              }
        }
      return [status, { description: shown.map(({ name }) => name).join('; '), ...WITH_ID, ...content }]
    })
  const wrong = new Set([
    ...statuses.filter(status => status >= 400),
    ...(doc.problems ?? []),
    ...(access === 'anyone' ? [] : [401, 429, 503]),
    ...(method === 'GET' && access !== 'anyone' ? [422] : []),
    ...(doc.conditional ? [409, 412] : []),
    ...(method === 'GET' || method === 'DELETE' ? [] : [400, 413, 422])
  ])
  return Object.fromEntries([
    ...good,
    ...[...wrong].map(status => [status, problem(status)]),
    ...(access === 'anyone' ? [[431, HEADERS_TOO_LARGE]] : []),
    ['default', problem()]
  ])
}

const toLines = (answer: unknown): string | undefined =>
  Array.isArray(answer) ? answer.map(line => `${JSON.stringify(line)}\n`).join('') : undefined

const WITH_ID = { headers: { 'X-Request-Id': { $ref: '#/components/headers/XRequestId' } } }

const problem = (status?: number): Json => ({
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  description:
    status === undefined
      ? 'Any other problem.'
      : Object.values(TITLES)
          .filter(([code]) => code === status)
          .map(([, title]) => title)
          .join(' Or: '),
  headers: {
    ...WITH_ID.headers,
    ...((status === 429 || status === 503) && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } })
  }
})
