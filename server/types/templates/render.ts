// Renders a template with the data of a send, within limits of time and size.

import type { Template } from 'liquidjs'

import type { Channel, TextRun } from '#protocol'

import type { Config } from '../../config/config.ts'
import type { TemplateContent } from './content.ts'
import { isLiquid } from './field-kind.ts'
import { finishField, type FieldResult } from './field.ts'
import { describeScriptLink } from './html/script-links.ts'
import { createEngine, liquidDetail } from './liquid.ts'
import { listTexts, type FieldText } from './list-texts.ts'
import { compileMarkup, mayHaveMarkup } from './markup.ts'
import { findMissingVariables, listRequiredVariables, type VariablePath } from './missing-variables.ts'
import { createRenderPool, type RenderOrigin } from './render-pool.ts'
import { createReplacer, type Replacer } from './replace.ts'
import { createTemplateCache } from './template-cache.ts'
import { areRich, createMarkers, plainText } from './text-runs.ts'

export interface RenderInput extends RenderOrigin {
  readonly channel: Channel
  readonly content: TemplateContent
  /** The content is a stored template, whose author may use mark-up; a send has its own content from anywhere. */
  readonly isTemplate?: boolean
  readonly data: Readonly<Record<string, unknown>>
  /** Case-sensitive replacements after rendering, in one pass, longest key first. */
  readonly replace: Readonly<Record<string, string>>
}

/** Rendered fields by name (`mediaUrls.0` in a list), without empty optional ones; or the reason of the failure. */
export type Rendered =
  | {
      readonly ok: true
      readonly fields: Readonly<Record<string, string>>
      /** The fields with mark-up, whose plain text is in `fields`. */
      readonly runs?: Readonly<Record<string, readonly TextRun[]>>
      /** Language of the template, if known. */
      readonly locale?: string
    }
  | { readonly ok: false; readonly field: string; readonly detail: string }

export interface FieldFault {
  readonly field: string
  readonly detail: string
}

export interface Renderer {
  render(input: RenderInput): Promise<Rendered>
  /** @returns fields that do not parse or contain a script link, with line and column */
  check(channel: Channel, content: TemplateContent): readonly FieldFault[]
  /** @returns names of the variables that the texts need and the data does not have; none for a text that does not parse */
  findMissing(input: Pick<RenderInput, 'channel' | 'content' | 'data'>): readonly string[]
  close(): Promise<void>
}

interface Analysis {
  /** Undefined if the text parses. */
  readonly fault?: string
  readonly required: readonly VariablePath[]
}

type RunsResult = FieldResult & { readonly runs?: readonly TextRun[] }
type MaybePromise<T> = T | Promise<T>

/** Undefined if the text needs the full engine. */
type Compiled = Template[] | undefined

/** `locale`: of templates without one. */
type RendererConfig = Pick<Config, 'renderTimeoutMs'> & Partial<Pick<Config, 'locale'>>

/** Of one template: no channel accepts more. */
const MAX_OUTPUT_BYTES = 1_000_000

/** @param maxBytes - of the output of one template */
export function createRenderer(
  { locale, renderTimeoutMs }: RendererConfig,
  maxBytes = MAX_OUTPUT_BYTES
): Renderer {
  const limits = { maxBytes, maxMs: renderTimeoutMs }
  const pool = createRenderPool(limits)
  const full = createEngine('full', false, limits)
  // Sends with their own content repeat the same texts.
  const analyses = createTemplateCache<Analysis>()
  const linkFaults = createTemplateCache<string | undefined>()
  const markups = createTemplateCache<string | undefined>()
  const [plain, escaped] = [false, true].map(html => ({
    cache: createTemplateCache<Compiled>(),
    engine: createEngine('small', html, limits)
  }))

  const analyze = (text: string): Analysis => {
    try {
      return { required: listRequiredVariables(full.parse(text)) }
    } catch (error) {
      return { fault: liquidDetail(error), required: [] }
    }
  }

  /** @returns the template with markers, or undefined if it has no mark-up or would not parse with markers */
  const compileMarked = (text: string): string | undefined => {
    try {
      const marked = compileMarkup(text)
      if (marked !== undefined) full.parse(marked)
      return marked
    } catch {
      return undefined
    }
  }

  const renderText = (
    { kind, text }: FieldText,
    data: RenderInput['data'],
    origin: RenderOrigin
  ): MaybePromise<FieldResult> => {
    const html = kind === 'html'
    const { cache, engine } = (html ? escaped : plain)!
    const compiled = cache.get(text, source => {
      try {
        return engine.parse(source)
      } catch {
        return undefined
      }
    })
    if (!compiled) return pool.run({ data, html, text }, origin)
    try {
      return { ok: true, text: engine.render(compiled, data) }
    } catch (error) {
      return { detail: liquidDetail(error), ok: false }
    }
  }

  const finish = ({ kind }: FieldText, text: string, replacer: Replacer | undefined): RunsResult => {
    try {
      const done = finishField(kind, replacer ? replacer(text) : text)
      if (!done.ok || done.text.length * 3 <= maxBytes || Buffer.byteLength(done.text) <= maxBytes)
        return done
      return { detail: `The output exceeds ${maxBytes} bytes.`, ok: false }
    } catch (error) {
      return { detail: liquidDetail(error), ok: false }
    }
  }

  /** @returns the plain text, and its runs if they say more */
  const renderMarked = async (
    part: FieldText,
    data: RenderInput['data'],
    origin: RenderOrigin,
    replacer: Replacer | undefined
  ): Promise<RunsResult> => {
    const markers = createMarkers()
    const rendered = await renderText(part, { ...data, ...markers.data }, origin)
    if (!rendered.ok) return rendered
    try {
      const runs = markers.read(rendered.text, replacer)
      const done = finish(part, plainText(runs), undefined)
      return done.ok && areRich(runs) ? { ...done, runs } : done
    } catch (error) {
      return { detail: liquidDetail(error), ok: false }
    }
  }

  return {
    check: (channel, content) =>
      listTexts(channel, content).flatMap(({ kind, name, text }) => {
        const detail =
          (isLiquid(text) ? analyses.get(text, analyze).fault : undefined) ??
          (kind === 'html' ? linkFaults.get(text, describeScriptLink) : undefined)
        return detail === undefined ? [] : [{ detail, field: name }]
      }),
    close: pool.close,
    findMissing({ channel, content, data }) {
      const texts = listTexts(channel, content).filter(({ text }) => isLiquid(text))
      return findMissingVariables(
        texts.flatMap(({ text }) => analyses.get(text, analyze).required),
        data
      )
    },
    async render({ channel, content, data: sendData, isTemplate, replace, ...origin }) {
      const templateLocale = sendData['_locale'] ?? locale
      const data = templateLocale === undefined ? sendData : { ...sendData, _locale: templateLocale }
      const fields: Record<string, string> = {}
      let runs: Record<string, readonly TextRun[]> | undefined
      const getReplacer = lazyReplacers(replace, maxBytes)
      for (const part of listTexts(channel, content)) {
        const { isRequired, kind, name, text } = part
        const mayBeMarked = isTemplate && kind === 'rich' && mayHaveMarkup(text)
        const marked = mayBeMarked ? markups.get(text, compileMarked) : undefined
        const replacer = getReplacer(kind === 'html')
        // Most texts are static, and are not awaited.
        const rendering: MaybePromise<RunsResult> =
          marked !== undefined
            ? renderMarked({ ...part, text: marked }, data, origin, replacer)
            : isLiquid(text)
              ? renderText(part, data, origin)
              : { ok: true, text }
        const rendered = rendering instanceof Promise ? await rendering : rendering
        const done = rendered.ok && marked === undefined ? finish(part, rendered.text, replacer) : rendered
        if (!done.ok) return { detail: done.detail, field: name, ok: false }
        if (isRequired || done.text !== '') fields[name] = done.text
        if (done.runs) (runs ??= {})[name] = done.runs
      }
      return {
        fields,
        ok: true,
        ...(runs && { runs }),
        ...(typeof templateLocale === 'string' && { locale: templateLocale })
      }
    }
  }
}

const NONE = (): undefined => undefined

/** Creates one replacer for HTML and one for other texts, at first use. */
function lazyReplacers(
  replace: RenderInput['replace'],
  maxLength: number
): (html: boolean) => Replacer | undefined {
  if (Object.keys(replace).length === 0) return NONE
  const replacers: (Replacer | undefined)[] = []
  return html => (replacers[Number(html)] ??= createReplacer(replace, { html, maxLength }))
}
