// Contacts of a user, devices and quiet hours: the cards beside the page.

import { html, nothing, type TemplateResult } from 'lit'

import type { Device, QuietHours, User, UserDetails, UserOverview } from '../api/users.ts'
import { askDialog } from '../view/dialog.ts'
import { BELL, BROWSER, EDIT, icon, MOBILE } from '../view/icons.ts'
import { sizes } from '../view/sizes.ts'
import { formatAgo } from '../view/time.ts'
import { userWords as text } from '../words/users.ts'

const CONTACTS = [
  ['email', text.email, 'email'],
  ['number', text.number, 'tel'],
  ['locale', text.language, 'text'],
  ['timezone', text.timezone, 'text']
] as const

const clockIn = (timeZone: string, at = new Date()): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(at)

const languageName = (locale: string): string =>
  new Intl.DisplayNames('en', { fallback: 'code', type: 'language' }).of(locale) ?? locale

const nothingThere = html`<span class="muted">${text.none}</span>`

function renderContact(user: User, name: (typeof CONTACTS)[number][0]): unknown {
  const value = user[name]
  if (!value) return nothingThere
  if (name === 'locale') return html`${languageName(value)} <span class="muted">${value}</span>`
  if (name === 'timezone') return html`${value} <span class="muted">${text.here(clockIn(value))}</span>`
  return html`<span class="clip" title=${value}>${value}</span>`
}

export const renderContacts = (user: User, onEdit: (() => void) | undefined): TemplateResult =>
  html`<section class="card">
    <div class="card-head">
      <h2>${text.contact}</h2>
      ${
        onEdit
          ? html`<button type="button" class="icon-button end" title=${text.edit} @click=${onEdit}>
              ${icon(EDIT)}
            </button>`
          : nothing
      }
    </div>
    <div class="card-body tight">
      <dl class="facts">
        ${CONTACTS.map(
          ([name, label]) =>
            html`<div>
              <dt>${label}</dt>
              <dd>${renderContact(user, name)}</dd>
            </div>`
        )}
        <div>
          <dt>${text.slack}</dt>
          <dd>${user.slackChannel ?? nothingThere}</dd>
        </div>
        ${
          user.properties && Object.keys(user.properties).length > 0
            ? html`<div>
                <dt>${text.properties}</dt>
                <dd>
                  ${Object.entries(user.properties).map(
                    ([name, value]) =>
                      html`<span class="chip"><span class="clip">${name}: ${String(value)}</span></span>`
                  )}
                </dd>
              </div>`
            : nothing
        }
      </dl>
    </div>
  </section>`

/** Asks for the contacts. @returns what changed */
export async function askCorrection(user: User): Promise<UserDetails | undefined> {
  const values = await askDialog({
    body: () =>
      html`<p>${text.editWhy}</p>
        ${CONTACTS.map(
          ([name, label, type]) =>
            html`<label class="field"
              ><span>${label}</span
              ><input class="input" name=${name} type=${type} autocomplete="off" value=${user[name] ?? ''}
            /></label>`
        )}`,
    confirm: text.save,
    title: text.editTitle(user.id)
  })
  if (!values) return undefined
  const changed = CONTACTS.flatMap(([name]) => {
    const value = String(values.get(name) ?? '').trim()
    return value === (user[name] ?? '') ? [] : [[name, value === '' ? null : value] as const]
  })
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

function renderDevice({ device, kind, lastUsedAt, token }: Device): TemplateResult {
  const name = [device['manufacturer'], device['model']].filter(Boolean).join(' ') || device['platform']
  return html`<li>
    ${icon(kind === 'web' ? BROWSER : MOBILE)}<span class="grow"
      ><b class="block clip">${name ?? text.deviceKinds[kind]}</b
      ><span class="muted"
        >${text.deviceKinds[kind]},
        <span class="mono">${token}</span>${lastUsedAt ? `, ${formatAgo(lastUsedAt)}` : ''}</span
      ></span
    >
  </li>`
}

export const renderDevices = ({ devices, sockets }: UserOverview): TemplateResult =>
  html`<section class="card">
    <div class="card-head">
      <h2>${text.devices}</h2>
      <span class="muted end">${devices.length || ''}</span>
    </div>
    <ul class="rows devices">
      ${devices.length === 0 ? html`<li class="muted">${text.noDevices}</li>` : devices.map(renderDevice)}
      ${sockets > 0 ? html`<li>${icon(BELL)}<b>${text.openPages(sockets)}</b></li>` : nothing}
    </ul>
  </section>`

const DAY_MINUTES = 24 * 60

const toMinutes = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

const toPercent = (minutes: number): string => `${Math.round((minutes / DAY_MINUTES) * 1000) / 10}%`

/** Quiet hours over midnight are two parts of the day. */
function toParts({ from, to }: QuietHours): readonly (readonly [number, number])[] {
  const [start, end] = [toMinutes(from), toMinutes(to)]
  if (start < end) return [[start, end]]
  return [
    [0, end],
    [start, DAY_MINUTES]
  ]
}

export function renderQuiet(
  { pause, quiet }: UserOverview,
  onEndPause: (() => void) | undefined
): TemplateResult {
  const now = clockIn(quiet.zone)
  return html`<section class="card">
    <div class="card-head">
      <h2>${text.quiet}</h2>
      <span class="muted end">${quiet.zone}</span>
    </div>
    <div class="card-body">
      ${
        pause.isOn
          ? html`<p class="warning">
              ${text.paused(pause.until ? text.pausedUntil(formatAgo(pause.until)) : text.pausedForever)}
              ${
                onEndPause
                  ? html`<button type="button" class="button" @click=${onEndPause}>${text.endPause}</button>`
                  : nothing
              }
            </p>`
          : nothing
      }
      ${
        quiet.on
          ? html`<div class="day" role="img" aria-label=${text.quietChart(quiet.from, quiet.to, now)}>
                ${toParts(quiet).map(
                  ([start, end]) =>
                    html`<i
                      ${sizes({ 'inline-size': toPercent(end - start), 'inset-inline-start': toPercent(start) })}
                    ></i>`
                )}<u ${sizes({ 'inset-inline-start': toPercent(toMinutes(now)) })}></u>
              </div>
              <div class="axis" aria-hidden="true">
                ${[0, 6, 12, 18, 24].map(hour => html`<span>${hour}</span>`)}
              </div>
              <p class="muted">${text.quietOn(quiet.from, quiet.to, quiet.urgentPasses)}</p>`
          : html`<p class="muted">${text.quietOff}</p>`
      }
    </div>
  </section>`
}
