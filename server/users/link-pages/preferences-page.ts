// Renders the preferences page behind a link: a form without script, with one field for each type and channel.

import { CHANNELS, DELIVERIES, type Channel, type Choice, type Delivery, type Preferences } from '#protocol'

import { escapeHtml } from '../../core/escape-html.ts'
import type { Answer } from '../../http/route.ts'
import { renderLinkPage, type Language } from './link-page.ts'
import { MESSAGES, type Messages } from './preferences-messages.ts'

/** Returns the name of a form field. It identifies its row, so fields keep their meaning if types are added after the page was opened. */
export const fieldName = ({
  channel,
  notificationId,
  subNotificationId = ''
}: Omit<Choice, 'delivery'>): string => JSON.stringify([notificationId, subNotificationId, channel])

export const offeredFrequencies = (
  matrix: Preferences,
  { channel, notificationId }: Omit<Choice, 'delivery'>
): Delivery[] => {
  const type = matrix.notifications.find(one => one.notificationId === notificationId)
  return DELIVERIES.filter(delivery => type?.options[channel]?.[delivery] !== undefined)
}

/** @param matrix - undefined if the link is not valid. @param result - of the form that was sent, if any */
export function renderPreferencesPage(
  language: Language,
  matrix: Preferences | undefined,
  result?: 'saved' | 'notOffered'
): Answer {
  const words = MESSAGES[language]
  const title = words.title
  if (!matrix) return renderLinkPage({ content: `<p>${words.unknown}</p>`, language, status: 404, title })
  const intros = {
    ask: `<p>${words.ask}</p>`,
    notOffered: `<p role="alert">${words.notOffered}</p>`,
    saved: `<p role="status">${words.saved}</p>`
  }
  const types = [...matrix.notifications].toSorted(byGroup)
  const groups = types.flatMap(({ group, notificationId, title: name }, i) => {
    const isFirst = group !== undefined && group !== types[i - 1]?.group
    const heading = isFirst ? `<h2>${escapeHtml(group)}</h2>\n` : ''
    const isOf = (row: Choice): boolean => row.notificationId === notificationId
    const own = renderGroup(matrix, words, name, row => isOf(row) && !row.subNotificationId)
    const subs = matrix.subNotifications
      .filter(sub => sub.notificationId === notificationId)
      .map(({ subNotificationId: id, title: sub }) =>
        renderGroup(matrix, words, `${name}: ${sub}`, row => isOf(row) && row.subNotificationId === id)
      )
    return [heading + own].concat(subs)
  })
  const form = `<form method="post">\n${renderSwitches(matrix, words)}\n${groups.join('\n')}\n<button>${words.save}</button>\n</form>`
  const content = groups.length === 0 ? `<p>${words.empty}</p>` : `${intros[result ?? 'ask']}\n${form}`
  return renderLinkPage({ content, language, status: result === 'notOffered' ? 422 : 200, title })
}

/** Types without a group are last. Those of a group keep their order. */
function byGroup(a: { readonly group?: string }, b: typeof a): number {
  if (a.group === undefined || b.group === undefined) {
    return Number(a.group === undefined) - Number(b.group === undefined)
  }
  return a.group.localeCompare(b.group)
}

export const switchName = (channel: Channel): string => `channel:${channel}`

function renderSwitches({ channels = {} }: Preferences, words: Messages): string {
  const fields = CHANNELS.flatMap(channel => {
    const found = channels[channel]
    if (!found) return []
    const select = found.state
      ? `<span>${words.blocked}</span>`
      : `<select name="${switchName(channel)}"><option value="on"${found.on ? ' selected' : ''}>${words.on}</option><option value="off"${found.on ? '' : ' selected'}>${words.deliveries.off}</option></select>`
    return [`<label>${words.channels[channel]} ${select}</label>`]
  })
  return `<fieldset><legend>${words.everything}</legend>\n<p>${words.everythingHint}</p>\n${fields.join('\n')}\n</fieldset>`
}

function renderGroup(
  matrix: Preferences,
  words: Messages,
  name: string,
  isOf: (row: Choice) => boolean
): string {
  const fields = matrix.preferences.filter(isOf).map(row => renderField(matrix, words, row))
  return `<fieldset><legend>${escapeHtml(name)}</legend>\n${fields.join('\n')}\n</fieldset>`
}

function renderField(matrix: Preferences, words: Messages, row: Choice): string {
  const label = words.channels[row.channel]
  const type = matrix.notifications.find(one => one.notificationId === row.notificationId)
  if (type?.locked?.includes(row.channel)) return `<label>${label} <span>${words.locked}</span></label>`
  const choices = offeredFrequencies(matrix, row)
  const options = choices.map(
    one =>
      `<option value="${one}"${one === row.delivery ? ' selected' : ''}>${words.deliveries[one]}</option>`
  )
  const fixed = choices.length < 2 ? ' disabled' : ''
  return `<label>${label} <select name="${escapeHtml(fieldName(row))}"${fixed}>${options.join('')}</select></label>`
}
