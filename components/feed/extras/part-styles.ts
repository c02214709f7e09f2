// Styles by part, for pages that have objects instead of a style sheet. Set through the CSSOM, which a strict content security
// policy allows.

import { toCssValue } from '../../core/css-values.ts'
import { toKebabCase } from '../../core/kebab-case.ts'
import { tryTo } from '../../core/safe-call.ts'
import { warnInvalid } from '../../core/validate.ts'

/** CSS properties by part: `{ title: { color: 'teal', fontSize: 15 } }`. Numbers are pixels if the property takes a length. */
export type PartStyles = Readonly<Record<string, Readonly<Record<string, string | number>>>>

/** Creates one rule for each part. Unknown parts and properties are logged and left out. */
export function createSheet(host: Element, styles: PartStyles): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  for (const [part, properties] of Object.entries(styles)) {
    if (properties === undefined || properties === null) continue
    if (!/^[a-z][a-z-]*$/.test(part) || typeof properties !== 'object') {
      warnInvalid(host, `styles.${part}`, properties, 'CSS properties of a part')
      continue
    }
    // Three times: more specific than the rules of the kit, without !important.
    const selector = `[part~="${part}"]`.repeat(3)
    const rule = sheet.cssRules[sheet.insertRule(`${selector}{}`, sheet.cssRules.length)] as CSSStyleRule
    for (const [name, value] of Object.entries(properties)) {
      const property = name.startsWith('--') ? name : toKebabCase(name)
      const text = property.startsWith('--')
        ? tryTo(() => String(value))
        : toCssValue(host, `styles.${part}`, property, value)
      if (text !== undefined) rule.style.setProperty(property, text)
    }
  }
  return sheet
}
