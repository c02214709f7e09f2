// The editor of a text with Liquid: CodeMirror in a shadow root, so that its styles are sheets that the policy allows.
//
// Tab is not bound: it leaves the editor, as in every field.

import { autocompletion, completionKeymap, type Completion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { html as htmlLanguage } from '@codemirror/lang-html'
import { liquid } from '@codemirror/lang-liquid'
import { bracketMatching, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { css, LitElement, type PropertyValues } from 'lit'

import { tokens } from '../view/tokens.styles.ts'
import { highlightStyle, theme } from './editor-theme.ts'

export interface EditorFault {
  readonly line: number
  readonly column?: number | undefined
  readonly detail: string
}

export interface EditorVariable {
  readonly name: string
  readonly sample: string
}

/** Variables below a path, such as `["order"]`: the next part of each name. */
function complete(variables: readonly EditorVariable[], path: readonly string[]): readonly Completion[] {
  const found = new Map<string, Completion>()
  for (const { name, sample } of variables) {
    const parts = name.replaceAll('[]', '').split('.')
    const label = parts[path.length]
    if (label === undefined || !path.every((part, index) => part === parts[index])) continue
    const isWhole = parts.length === path.length + 1
    if (!found.has(label)) found.set(label, { detail: isWhole ? sample : '…', label, type: 'variable' })
  }
  return [...found.values()]
}

export class AdminEditor extends LitElement {
  /** Code reads left to right in every page. */
  static override styles = [
    tokens,
    css`
      :host {
        direction: ltr;
        text-align: left;
      }
    `
  ]
  static override properties = {
    faults: { attribute: false },
    isReadOnly: { attribute: false },
    label: { attribute: false },
    value: { attribute: false },
    variables: { attribute: false }
  }
  declare faults: readonly EditorFault[]
  declare isReadOnly: boolean
  declare label: string
  declare value: string
  declare variables: readonly EditorVariable[]

  #view: EditorView | undefined
  readonly #language = new Compartment()
  readonly #mode = new Compartment()

  constructor() {
    super()
    this.faults = []
    this.isReadOnly = false
    this.label = ''
    this.value = ''
    this.variables = []
  }

  /** Puts a text where the cursor is, and goes there. */
  insert(text: string): void {
    const view = this.#view
    if (!view || this.isReadOnly) return
    view.dispatch(view.state.replaceSelection(text))
    view.focus()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#view?.destroy()
    this.#view = undefined
  }

  override connectedCallback(): void {
    super.connectedCallback()
    if (this.hasUpdated) this.#open()
  }

  #createLanguage(): ReturnType<typeof liquid> {
    const variables = complete(this.variables, [])
    return liquid({
      base: htmlLanguage(),
      properties: path => complete(this.variables, path),
      variables
    })
  }

  #createMode(): readonly ReturnType<typeof EditorState.readOnly.of>[] {
    return [
      EditorState.readOnly.of(this.isReadOnly),
      EditorView.contentAttributes.of({ 'aria-label': this.label, 'aria-multiline': 'true' })
    ]
  }

  #open(): void {
    this.#view = new EditorView({
      parent: this.renderRoot as ShadowRoot,
      root: this.renderRoot as ShadowRoot,
      state: EditorState.create({
        doc: this.value,
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          bracketMatching(),
          autocompletion({ icons: false }),
          syntaxHighlighting(highlightStyle),
          EditorView.lineWrapping,
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap.filter(isFree)]),
          this.#language.of(this.#createLanguage()),
          this.#mode.of(this.#createMode()),
          theme,
          replaceSelections,
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return
            const text = state.doc.toString()
            if (text === this.value) return
            this.value = text
            this.dispatchEvent(new CustomEvent('notif-admin-edit', { detail: text }))
          })
        ]
      })
    })
  }

  protected override firstUpdated(): void {
    this.#open()
  }

  protected override updated(changed: PropertyValues<this>): void {
    const view = this.#view
    if (!view) return
    const { doc } = view.state
    if (changed.has('value') && doc.toString() !== this.value)
      view.dispatch({ changes: { from: 0, insert: this.value, to: doc.length } })
    if (changed.has('variables'))
      view.dispatch({ effects: this.#language.reconfigure(this.#createLanguage()) })
    if (changed.has('label') || changed.has('isReadOnly'))
      view.dispatch({ effects: this.#mode.reconfigure(this.#createMode()) })
    if (changed.has('faults')) view.dispatch(setDiagnostics(view.state, this.#toDiagnostics(view)))
  }

  #toDiagnostics({ state: { doc } }: EditorView): Diagnostic[] {
    return this.faults.map(({ column, detail, line }) => {
      const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines))
      const start = Math.min(to, from + Math.max(0, (column ?? 1) - 1))
      return {
        from: start,
        message: detail,
        severity: 'error',
        to: column === undefined ? to : Math.max(start, to)
      }
    })
  }
}

/**
 * Replaces a selection in the state. Chromium would insert the text with the look of what it replaces, as a style attribute,
 * which the policy of the page refuses and reports.
 */
const replaceSelections = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event
    const { readOnly, selection } = view.state
    if (inputType !== 'insertText' || data === null || isComposing || readOnly || selection.main.empty)
      return false
    view.dispatch(view.state.replaceSelection(data), { scrollIntoView: true, userEvent: 'input.type' })
    return true
  }
})

/** The dashboard publishes and saves with these. */
const isFree = ({ key }: { readonly key?: string }): boolean => key !== 'Mod-Enter' && key !== 'Mod-s'

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-editor': AdminEditor
  }
  interface HTMLElementEventMap {
    'notif-admin-edit': CustomEvent<string>
  }
}
