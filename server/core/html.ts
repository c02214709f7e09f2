// Builds HTML from templates: every value is escaped unless it is HTML already.

import { escapeHtml } from './escape-html.ts'

/** A text that is HTML. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | undefined | false | readonly Value[]

const toHtmlText = (value: Value): string => {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(toHtmlText).join('')
  return value === undefined || value === false ? '' : escapeHtml(String(value))
}

/** Escapes every value that is not {@link Html}. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(String.raw({ raw: parts }, ...values.map(toHtmlText)))
