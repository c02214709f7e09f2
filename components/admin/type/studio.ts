// The middle of the studio: lines of a template above the editor, its fault, and variables of recent sends below.

import { html, nothing, type TemplateResult } from 'lit'

import type { TemplateFault, TypeContent, TypeVariables } from '../api/types.ts'
import { channelName } from '../view/channel.ts'
import { EDIT, FAILURE, icon, TRASH } from '../view/icons.ts'
import { renderTime } from '../view/time.ts'
import { typeWords as text } from '../words/types.ts'
import type { AdminEditor, EditorFault } from './editor.ts'
import { fieldsOf, findFault, parseKey, readField, setField } from './template.ts'
import { variantName } from './variants.ts'

export interface StudioProps {
  readonly content: TypeContent
  readonly chosen: string
  readonly faults: readonly TemplateFault[]
  readonly isChanged: boolean
  readonly isReadOnly: boolean
  readonly savedAt: string | undefined
  readonly number: number
  readonly textField: string
  readonly variables: TypeVariables | undefined
  onChooseField(name: string): void
  onEdit(content: TypeContent): void
  onRemove(key: string): void
}

const NO_VARIABLES: TypeVariables['variables'] = []

const fieldName = (name: string): string => text.fields[name] ?? name

/** Of the chosen template; a fault without a place counts for it as well. */
const faultsOf = ({ chosen, faults }: StudioProps): readonly TemplateFault[] =>
  faults.filter(fault => [chosen, ''].includes(findFault(fault).key))

function insert(event: MouseEvent, name: string): void {
  const root = (event.currentTarget as Element).getRootNode() as ShadowRoot
  root.querySelector<AdminEditor>('notif-admin-editor')?.insert(`{{ ${name} }}`)
}

function renderVariables({ variables }: StudioProps): TemplateResult {
  const missing = new Map(variables?.missing.map(({ count, name }) => [name, count]))
  const all = variables?.sends.length ?? 0
  return html`<div class="pane-head sub">
      <h3>${text.variables}</h3>
      <span class="muted">${all > 0 ? text.variablesWhy(all) : text.noVariables}</span>
    </div>
    <ul class="variables">
      ${variables?.variables.map(({ name, sample }) => {
        const lacking = missing.get(name)
        return html`<li>
          <button
            type="button"
            class="chip mono"
            title=${text.insert(name)}
            @click=${(event: MouseEvent) => insert(event, name)}
          >
            ${name}</button
          >${
            lacking === undefined
              ? html`<span class="clip muted" title=${sample}>${sample}</span>`
              : html`<span class="warning">${text.missingIn(lacking, all)}</span>`
          }
        </li>`
      })}
    </ul>`
}

export function renderStudio(props: StudioProps): TemplateResult {
  const { chosen, content, isChanged, isReadOnly, number, onChooseField, onEdit, onRemove } = props
  const { channel } = parseKey(chosen)
  const template = content.templates[chosen]
  const { lines, texts } = fieldsOf(channel)
  const field = texts.includes(props.textField) ? props.textField : texts[0]!
  const faults = faultsOf(props)
  const editorFaults: readonly EditorFault[] = faults.flatMap(fault =>
    findFault(fault).field === field && fault.line !== undefined
      ? [{ column: fault.column, detail: fault.detail, line: fault.line }]
      : []
  )
  return html`<div class="middle">
    <div class="pane-head">
      <h2>${channelName(channel)}</h2>
      <span class="muted clip">${variantName(chosen)}</span
      ><span class="end"
        ><span class="chip" data-tone=${isChanged ? 'warning' : 'line'}
          >${icon(EDIT)}${isChanged ? text.unsaved : text.draftOf(number)}</span
        >${props.savedAt && !isChanged ? html`<span class="muted">${renderTime(props.savedAt)}</span>` : nothing}${
          isReadOnly
            ? nothing
            : html`<button
                type="button"
                class="icon-button"
                title=${text.remove}
                @click=${() => onRemove(chosen)}
              >
                ${icon(TRASH, 'small')}
              </button>`
        }</span
      >
    </div>
    ${lines.map(
      name =>
        html`<label class="line"
          ><span class="muted">${fieldName(name)}</span
          ><input
            class="mono"
            autocomplete="off"
            name=${name}
            ?readonly=${isReadOnly}
            aria-invalid=${faults.some(fault => findFault(fault).field === name)}
            .value=${readField(template, name)}
            @input=${(event: Event) =>
              onEdit(setField(content, chosen, name, (event.target as HTMLInputElement).value))}
        /></label>`
    )}
    ${
      texts.length > 1
        ? html`<fieldset class="line choice" aria-label=${text.parts.template}>
            <span class="segments tiny"
              >${texts.map(
                name =>
                  html`<label
                    ><input
                      type="radio"
                      name="text"
                      .checked=${name === field}
                      @change=${() => onChooseField(name)}
                    /><span>${fieldName(name)}</span></label
                  >`
              )}</span
            >
          </fieldset>`
        : nothing
    }
    <notif-admin-editor
      .faults=${editorFaults}
      .isReadOnly=${isReadOnly}
      .label=${`${channelName(channel)}, ${variantName(chosen)}: ${text.editor(fieldName(field))}`}
      .value=${readField(template, field)}
      .variables=${props.variables?.variables ?? NO_VARIABLES}
      @notif-admin-edit=${({ detail }: CustomEvent<string>) =>
        onEdit(setField(content, chosen, field, detail))}
    ></notif-admin-editor>
    <div role="status">
      ${faults.map(
        ({ detail, line }) =>
          html`<p class="fault">
            ${icon(FAILURE, 'small')}<span>${line === undefined ? detail : text.atLine(line, detail)}</span>
          </p>`
      )}
    </div>
    ${renderVariables(props)}
  </div>`
}
