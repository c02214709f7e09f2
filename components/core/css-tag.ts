// Stands for Lit's css-tag.js in the script of the kit. Every browser that can show the kit takes style sheets as objects,
// so what Lit does for older ones is left out; and our styles have no values in them that could be wrong.

/** What `css` gives: its sheet is made when it is first used, as few pages have every element. */
export class CSSResult {
  readonly #text: string
  #sheet: CSSStyleSheet | undefined

  constructor(text: string) {
    this.#text = text
  }

  get styleSheet(): CSSStyleSheet {
    if (!this.#sheet) {
      this.#sheet = new CSSStyleSheet()
      this.#sheet.replaceSync(this.#text)
    }
    return this.#sheet
  }
}

export const css = ([text]: TemplateStringsArray): CSSResult => new CSSResult(text!)

export const unsafeCSS = (text: unknown): CSSResult => new CSSResult(String(text))

export const supportsAdoptingStyleSheets = true

export const getCompatibleStyle = <T>(style: T): T => style

export function adoptStyles(root: ShadowRoot, styles: readonly CSSResult[]): void {
  root.adoptedStyleSheets = styles.map(({ styleSheet }) => styleSheet)
}
