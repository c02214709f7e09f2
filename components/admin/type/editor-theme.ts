// Colors of the editor, from the tokens of the dashboard.

import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const LIQUID = 'light-dark(oklch(0.47 0.19 305), oklch(0.78 0.12 305))'
const MARKUP = 'light-dark(oklch(0.47 0.1 230), oklch(0.8 0.09 225))'
const TEXT = 'light-dark(oklch(0.45 0.11 155), oklch(0.82 0.11 155))'

export const highlightStyle = HighlightStyle.define([
  { color: MARKUP, tag: [tags.tagName, tags.angleBracket, tags.attributeName] },
  { color: TEXT, tag: [tags.string, tags.attributeValue, tags.number, tags.bool] },
  {
    color: LIQUID,
    tag: [
      tags.brace,
      tags.keyword,
      tags.controlKeyword,
      tags.operatorKeyword,
      tags.variableName,
      tags.propertyName,
      tags.function(tags.variableName),
      tags.operator
    ]
  },
  { color: 'var(--_muted)', fontStyle: 'italic', tag: [tags.comment, tags.blockComment, tags.lineComment] }
])

export const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--_sunk)', color: 'var(--_text)', fontSize: '12.5px' },
  '&.cm-focused': { outline: '2px solid var(--_focus)', outlineOffset: '-2px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklab, var(--_text) 5%, transparent)' },
  '.cm-content': {
    caretColor: 'var(--_text)',
    fontFamily: 'var(--_mono)',
    lineHeight: '21px',
    minHeight: '168px',
    paddingBlock: '10px'
  },
  '.cm-cursor': { borderLeftColor: 'var(--_text)' },
  '.cm-diagnostic': { fontFamily: 'var(--_font)', fontSize: '13px' },
  '.cm-gutters': { backgroundColor: 'transparent', border: '0', color: 'var(--_muted)' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '36px' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--_danger)',
    textUnderlineOffset: '3px'
  },
  '.cm-lint-marker': { blockSize: '10px', content: '"●"', color: 'var(--_danger)', inlineSize: '10px' },
  '.cm-scroller': { fontFamily: 'var(--_mono)', maxHeight: '520px', overflow: 'auto' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--_accent) 22%, transparent) !important'
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--_raised)',
    border: '1px solid var(--_line)',
    borderRadius: '8px',
    boxShadow: 'var(--_shadow)',
    color: 'var(--_text)',
    overflow: 'hidden'
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--_accent)',
    color: 'var(--_on-accent)'
  }
})
