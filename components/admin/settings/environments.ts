// Environments, and the secret and secure mode of the one that is open.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'

import type { Environment } from '../api/settings.ts'
import { channelName } from '../view/channel.ts'
import { askDialog } from '../view/dialog.ts'
import { renderHeadings } from '../view/headings.ts'
import { CLOCK, icon, KEY, RETRY, SHIELD } from '../view/icons.ts'
import { formatExact } from '../view/time.ts'
import { settingWords as text } from '../words/settings.ts'

export async function askEnvironment(): Promise<{ title: string; clientId?: string } | undefined> {
  const values = await askDialog({
    body: () =>
      html`<p>${text.newEnvironmentWhy}</p>
        <label class="field"
          ><span>${text.name}</span><input class="input" name="title" autocomplete="off"
        /></label>
        <label class="field"
          ><span>${text.clientId}</span
          ><input class="input mono" name="clientId" autocomplete="off" spellcheck="false"
        /></label>`,
    canConfirm: form => String(form.get('title') ?? '').trim() !== '',
    confirm: text.create,
    title: text.newEnvironment
  })
  if (!values) return undefined
  const clientId = String(values.get('clientId') ?? '').trim()
  return { title: String(values.get('title')).trim(), ...(clientId && { clientId }) }
}

/** @returns seconds for which the present secret stays valid */
export async function askRotation(): Promise<number | undefined> {
  const values = await askDialog({
    body: () =>
      html`<p>${text.rotateWhy}</p>
        <label class="field"
          ><span>${text.grace}</span
          ><select class="input" name="grace">
            ${Object.entries(text.graces).map(
              ([seconds, name]) =>
                html`<option value=${seconds} ?selected=${seconds === '86400'}>${name}</option>`
            )}
          </select></label
        >`,
    confirm: text.rotate.replace('…', ''),
    title: text.rotateTitle,
    tone: 'destroy'
  })
  return values ? Number(values.get('grace')) : undefined
}

export const askInsecure = async (): Promise<boolean> =>
  Boolean(
    await askDialog({
      body: () => text.secureOffWhy,
      confirm: text.turnOff,
      title: text.secureOff,
      tone: 'destroy'
    })
  )

export const renderEnvironments = (
  environments: readonly Environment[],
  current: string,
  hrefOf: (clientId: string) => string
): TemplateResult =>
  html`<div class="card">
    <table class="table stacks hovers" role="table">
      ${renderHeadings(text.environmentColumns)}
      <tbody role="rowgroup">
        ${environments.map(
          ({ clientId, disabledChannels, limits, retentionDays, title }) =>
            html`<tr role="row">
              <th role="rowheader" scope="row">
                <a class="cover" href=${hrefOf(clientId)}>${title || clientId}</a> ${
                  clientId === current
                    ? html`<span class="chip" data-tone="line">${text.here}</span>`
                    : nothing
                }
              </th>
              <td role="cell" class="mono muted">${clientId}</td>
              <td role="cell">
                ${retentionDays === undefined ? html`<span class="muted">${text.asServer}</span>` : text.days(retentionDays)}
              </td>
              <td role="cell">
                ${
                  limits.sendsPerSecond === undefined
                    ? html`<span class="muted">${text.none}</span>`
                    : text.perSecond(limits.sendsPerSecond)
                }
              </td>
              <td role="cell" class=${disabledChannels.length === 0 ? 'muted' : ''}>
                ${disabledChannels.map(channelName).join(', ') || text.none}
              </td>
            </tr>`
        )}
      </tbody>
    </table>
  </div>`

export interface SecretActions {
  onRotate(): void
  onSecureMode(isOn: boolean): void
}

export const renderEnvironmentSecret = (
  { previousSecretUntil, secureMode }: Environment,
  { onRotate, onSecureMode }: SecretActions
): TemplateResult =>
  html`<ul class="card rows lines">
    <li>
      ${icon(KEY)}<span class="grow"
        ><b class="block">${text.secret}</b><span class="muted">${text.secretWhy}</span></span
      ><button type="button" class="button" @click=${onRotate}>${icon(RETRY, 'small')}${text.rotate}</button>
    </li>
    ${
      previousSecretUntil
        ? html`<li>
            ${icon(CLOCK)}<span class="grow"
              ><b class="block">${text.previous}</b
              ><span class="muted">${text.previousUntil}${formatExact(previousSecretUntil)}</span></span
            >
          </li>`
        : nothing
    }
    <li>
      ${icon(SHIELD)}<label class="switch grow"
        ><span class="grow"
          ><b class="block">${text.secureMode}</b><span class="muted">${text.secureModeWhy}</span></span
        ><input
          type="checkbox"
          role="switch"
          .checked=${live(secureMode)}
          @change=${(event: Event) => onSecureMode((event.target as HTMLInputElement).checked)}
      /></label>
    </li>
  </ul>`
