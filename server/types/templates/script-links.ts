// Addresses in HTML that would run where somebody follows or loads them, whatever way they are written.

/** Between attributes a browser takes a slash for a space, and after a closing quote it needs neither. */
const ADDRESSES =
  /([\s/"'](href|src|action|formaction|background|poster|xlink:href)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/gi

/** Pictures may stand in the mail itself, but not as a document that can hold a script. */
const RUNS = /^(?:javascript|vbscript):|^data:(?!image\/(?!svg))/

const runs = (value: string): boolean => RUNS.test(plainAddress(value))

/** A merge tag may stand in a link; what would run there is taken out. */
export const withoutScriptLinks = (html: string): string =>
  html.replace(ADDRESSES, (whole: string, before: string, _name: string, value: string) =>
    runs(value) ? `${before}"#"` : whole
  )

/** The first one that runs whatever is merged into it, in one sentence with line and column. */
export function scriptLinkIn(html: string): string | undefined {
  for (const { 1: before, 2: name, 3: value, index } of html.matchAll(ADDRESSES)) {
    if (!runs(value!)) continue
    const lines = html.slice(0, index + before!.length).split('\n')
    const shown = value!.replaceAll(/^["']|["']$/g, '').slice(0, 80)
    return `Line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${name} must not be ${JSON.stringify(shown)}, it would run as a script.`
  }
  return undefined
}

const NAMED: Readonly<Record<string, string>> = { colon: ':', newline: '', tab: '' }

/** As a browser reads it: entities decoded, control characters and spaces dropped. */
function plainAddress(value: string): string {
  return value
    .slice(0, 2000)
    .replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(colon|newline|tab));?/gi,
      (whole, hex?: string, decimal?: string, name?: string) => {
        if (name) return NAMED[name.toLowerCase()]!
        const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole
      }
    )
    .replace(/[\p{Cc}\p{Cf}\p{Z}"']/gu, '')
    .toLowerCase()
}
