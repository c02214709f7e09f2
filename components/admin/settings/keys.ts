// API keys of the environment: what each may do, when it was used, a new one, an end.

import { html, nothing, type TemplateResult } from 'lit'

import { KEY_SCOPES, type ApiKey, type NewApiKey } from '../api/settings.ts'
import { askDialog } from '../view/dialog.ts'
import { renderHeadings } from '../view/headings.ts'
import { formatDay, renderTime } from '../view/time.ts'
import { actorName } from '../words.ts'
import { settingWords as text } from '../words/settings.ts'

export async function askKey(): Promise<NewApiKey | undefined> {
  const values = await askDialog({
    body: () =>
      html`<p>${text.newKeyWhy}</p>
        <label class="field"
          ><span>${text.keyName}</span><input class="input" name="name" autocomplete="off" maxlength="100"
        /></label>
        <div class="field" role="group" aria-label=${text.may}>
          <span class="legend">${text.may}</span>
          ${KEY_SCOPES.map(
            scope =>
              html`<label class="check"
                ><input type="checkbox" name="scope" value=${scope} /><span
                  ><span class="mono">${scope}</span> <span class="muted">${text.scopes[scope]}</span></span
                ></label
              >`
          )}
        </div>
        <label class="field"
          ><span>${text.expires}</span
          ><select class="input" name="days">
            ${Object.entries(text.expiries).map(
              ([days, name]) => html`<option value=${days}>${name}</option>`
            )}
          </select></label
        >`,
    canConfirm: form => form.getAll('scope').length > 0 && String(form.get('name') ?? '').trim() !== '',
    confirm: text.createKey,
    title: text.newKeyTitle
  })
  if (!values) return undefined
  const days = Number(values.get('days'))
  return {
    name: String(values.get('name')).trim(),
    scopes: KEY_SCOPES.filter(scope => values.getAll('scope').includes(scope)),
    ...(days > 0 && { expiresInDays: days })
  }
}

export const askRevoke = async ({ name }: ApiKey): Promise<boolean> =>
  Boolean(
    await askDialog({
      body: () => text.revokeWhy,
      confirm: text.revoke,
      title: text.revokeTitle(name),
      tone: 'destroy'
    })
  )

const hasEnded = ({ expiresAt }: ApiKey): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) < Date.now()

function renderEnd(key: ApiKey): unknown {
  if (key.revokedAt) return html`<span class="muted">${text.revoked}</span>`
  if (hasEnded(key)) return html`<span class="warning">${text.ended}</span>`
  return key.expiresAt ? renderTime(key.expiresAt, formatDay(key.expiresAt)) : text.noEnd
}

export const renderKeys = (keys: readonly ApiKey[], onRevoke: (key: ApiKey) => void): TemplateResult =>
  html`<div class="card">
    ${
      keys.length === 0
        ? html`<p class="card-body muted">${text.noKeys}</p>`
        : html`<table class="table stacks" role="table">
            ${renderHeadings(text.keyColumns)}
            <tbody role="rowgroup">
              ${keys.map(
                key =>
                  html`<tr role="row" class=${key.revokedAt || hasEnded(key) ? 'gone' : ''}>
                    <th role="rowheader" scope="row">
                      <b class="block">${key.name}</b
                      ><span class="muted"
                        ><span class="mono">${key.start}…</span>,
                        ${text.made(formatDay(key.createdAt), actorName(key.createdBy))}</span
                      >
                    </th>
                    <td role="cell">
                      ${key.scopes.map(
                        scope => html`<span class="chip" title=${text.scopes[scope] ?? ''}>${scope}</span> `
                      )}
                    </td>
                    <td role="cell" class="nowrap">
                      ${key.lastUsedAt ? renderTime(key.lastUsedAt) : html`<span class="muted">${text.neverUsed}</span>`}
                    </td>
                    <td role="cell" class="nowrap">${renderEnd(key)}</td>
                    <td role="cell" class="number">
                      ${
                        key.revokedAt
                          ? nothing
                          : html`<button type="button" class="button risky" @click=${() => onRevoke(key)}>
                              ${text.revoke}
                            </button>`
                      }
                    </td>
                  </tr>`
              )}
            </tbody>
          </table>`
    }
  </div>`
