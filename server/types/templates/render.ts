// Rendering of a template with the data of a send, within limits of time and size.

import type { Template } from 'liquidjs'

import type { Channel } from '#protocol'

import type { Config } from '../../config/config.ts'
import { FIELDS, type Field, type TemplateContent } from './content.ts'
import { isLiquid } from './field-kind.ts'
import { finishField, type Finished } from './field.ts'
import { describeScriptLink } from './html/script-links.ts'
import { createEngine, liquidDetail, type Path } from './liquid.ts'
import { createPool } from './render-pool.ts'
import { createReplacer, type Replacer } from './replace.ts'
import { createTemplateCache } from './template-cache.ts'

export interface RenderInput {
  readonly channel: Channel
  readonly content: TemplateContent
  /** Merge tags, `user`, and what else templates may read. */
  readonly data: Readonly<Record<string, unknown>>
  /** Case-sensitive replacements after rendering, in one pass, longest key first. */
  readonly replace: Readonly<Record<string, string>>
}

/** Rendered fields by their names (`mediaUrls.0` within a list), without empty ones that may be absent; or why it failed. */
export type Rendered =
  | {
      readonly ok: true
      readonly fields: Readonly<Record<string, string>>
      /** Language of the template, where it is known. */
      readonly locale?: string
    }
  | { readonly ok: false; readonly field: string; readonly detail: string }

export interface FieldFault {
  readonly field: string
  readonly detail: string
}

export interface Renderer {
  render(input: RenderInput): Promise<Rendered>
  /** Every field that does not parse or that holds a link that would run, with line and column. */
  check(channel: Channel, content: TemplateContent): readonly FieldFault[]
  /** What its texts read from their data; one that does not parse reads nothing. */
  variables(channel: Channel, content: TemplateContent): readonly Path[]
  close(): Promise<void>
}

interface Part extends Field {
  /** Its name, with dots within lists and objects. */
  readonly name: string
  readonly text: string
}

const OTHER: Field = { kind: 'text', required: false }

/** `undefined`: not for this thread. */
type Compiled = Template[] | undefined

/** `locale`: of templates that name none. */
type RendererConfig = Pick<Config, 'renderTimeoutMs'> & Partial<Pick<Config, 'locale'>>

/** Bytes that one template may produce: more fits into no channel. */
const MAX_OUTPUT_BYTES = 1_000_000

/** @param maxBytes - that one template may produce */
export function createRenderer(
  { locale, renderTimeoutMs }: RendererConfig,
  maxBytes = MAX_OUTPUT_BYTES
): Renderer {
  const limits = { bytes: maxBytes, millis: renderTimeoutMs }
  const pool = createPool(limits)
  const full = createEngine('full', false, limits)
  // A send that brings its own content brings the same texts again and again.
  const faults = createTemplateCache<string | undefined>()
  const linkFaults = createTemplateCache<string | undefined>()
  const [plain, escaped] = [false, true].map(html => ({
    cache: createTemplateCache<Compiled>(),
    engine: createEngine('small', html, limits)
  }))

  const faultOf = (text: string): string | undefined => {
    try {
      full.parse(text)
      return undefined
    } catch (error) {
      return liquidDetail(error)
    }
  }

  const renderText = ({ kind, text }: Part, data: RenderInput['data']): Finished | Promise<Finished> => {
    const html = kind === 'html'
    const { cache, engine } = (html ? escaped : plain)!
    const compiled = cache.get(text, source => {
      try {
        return engine.parse(source)
      } catch {
        return undefined
      }
    })
    if (!compiled) return pool.run({ data, html, text })
    try {
      return { ok: true, text: engine.render(compiled, data) }
    } catch (error) {
      return { detail: liquidDetail(error), ok: false }
    }
  }

  const finish = ({ kind }: Part, text: string, replacer: Replacer | undefined): Finished => {
    try {
      const done = finishField(kind, replacer ? replacer(text) : text)
      if (!done.ok || done.text.length * 3 <= maxBytes || Buffer.byteLength(done.text) <= maxBytes)
        return done
      return { detail: `It would become more than ${maxBytes} bytes.`, ok: false }
    } catch (error) {
      return { detail: liquidDetail(error), ok: false }
    }
  }

  return {
    check: (channel, content) =>
      partsOf(channel, content).flatMap(({ kind, name, text }) => {
        const detail =
          (isLiquid(text) ? faults.get(text, faultOf) : undefined) ??
          (kind === 'html' ? linkFaults.get(text, describeScriptLink) : undefined)
        return detail === undefined ? [] : [{ detail, field: name }]
      }),
    close: pool.close,
    async render({ channel, content, data: given, replace }) {
      const written = given['_locale'] ?? locale
      const data = written === undefined ? given : { ...given, _locale: written }
      const fields: Record<string, string> = {}
      const replacerOf = replacers(replace, maxBytes)
      for (const part of partsOf(channel, content)) {
        const { name, kind, required, text } = part
        // Most texts of most sends: nothing to evaluate and nothing to wait for.
        const underway = isLiquid(text) ? renderText(part, data) : { ok: true as const, text }
        const rendered = underway instanceof Promise ? await underway : underway
        const done = rendered.ok ? finish(part, rendered.text, replacerOf(kind === 'html')) : rendered
        if (!done.ok) return { detail: done.detail, field: name, ok: false }
        if (required || done.text !== '') fields[name] = done.text
      }
      return { fields, ok: true, ...(typeof written === 'string' && { locale: written }) }
    },
    variables: (channel, content) =>
      partsOf(channel, content).flatMap(({ text }) =>
        isLiquid(text) && faults.get(text, faultOf) === undefined ? full.variables(full.parse(text)) : []
      )
  }
}

const NONE = (): undefined => undefined

/** One for HTML, one for everything else, made when first needed. */
function replacers(replace: RenderInput['replace'], bytes: number): (html: boolean) => Replacer | undefined {
  if (Object.keys(replace).length === 0) return NONE
  const made: (Replacer | undefined)[] = []
  return html => (made[Number(html)] ??= createReplacer(replace, { bytes, html }))
}

/** Every text of the content with the rules of the field that it stands in. */
function partsOf(channel: Channel, content: TemplateContent): Part[] {
  const parts: Part[] = []
  for (const name of Object.keys(content)) {
    collect(content[name], name, FIELDS[channel].get(name) ?? OTHER, parts)
  }
  return parts
}

function collect(value: unknown, name: string, field: Field, parts: Part[]): void {
  if (typeof value === 'string') parts.push({ ...field, name, text: value })
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) collect(member, `${name}.${key}`, field, parts)
  }
}
