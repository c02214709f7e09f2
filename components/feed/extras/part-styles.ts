// Styles by part, for pages that have objects and not a style sheet. Written through the CSSOM, as the strict policy wants.

import { toKebabCase } from '../../core/kebab-case.ts'
import { tryTo } from '../../core/safe-call.ts'
import { fit } from '../../core/sizes.ts'
import { warnInvalid } from '../../core/validate.ts'
import type { PartStyles } from '../options.ts'

/** One rule for each part; what is no part or no property is named and left out. */
export function sheetOf(host: Element, styles: PartStyles): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  for (const [part, properties] of Object.entries(styles)) {
    // As everywhere: nothing is said of this part.
    if (properties === undefined || properties === null) continue
    if (!/^[a-z][a-z-]*$/.test(part) || typeof properties !== 'object') {
      warnInvalid(host, `styles.${part}`, properties, 'CSS properties of a part')
      continue
    }
    // Three times, so that it wins over our own rules without !important.
    const selector = `[part~="${part}"]`.repeat(3)
    const rule = sheet.cssRules[sheet.insertRule(`${selector}{}`, sheet.cssRules.length)] as CSSStyleRule
    for (const [name, value] of Object.entries(properties)) {
      const property = name.startsWith('--') ? name : toKebabCase(name)
      const text = property.startsWith('--')
        ? tryTo(() => String(value))
        : fit(host, `styles.${part}`, property, value)
      if (text !== undefined) rule.style.setProperty(property, text)
    }
  }
  return sheet
}
