// Renders the preferences page behind a link: a form without script, with one field for each type and channel.

import { DELIVERIES, type Choice, type Delivery, type Preferences } from '#protocol'

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
  const groups = matrix.notifications.flatMap(({ notificationId, title: name }) => [
    renderGroup(matrix, words, name, row => row.notificationId === notificationId && !row.subNotificationId),
    ...matrix.subNotifications
      .filter(sub => sub.notificationId === notificationId)
      .map(({ subNotificationId, title: sub }) =>
        renderGroup(
          matrix,
          words,
          `${name}: ${sub}`,
          row => row.notificationId === notificationId && row.subNotificationId === subNotificationId
        )
      )
  ])
  const form = `<form method="post">\n${groups.join('\n')}\n<button>${words.save}</button>\n</form>`
  const content = groups.length === 0 ? `<p>${words.empty}</p>` : `${intros[result ?? 'ask']}\n${form}`
  return renderLinkPage({ content, language, status: result === 'notOffered' ? 422 : 200, title })
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
  const choices = offeredFrequencies(matrix, row)
  const options = choices.map(
    one =>
      `<option value="${one}"${one === row.delivery ? ' selected' : ''}>${words.deliveries[one]}</option>`
  )
  const fixed = choices.length < 2 ? ' disabled' : ''
  const label = words.channels[row.channel]
  return `<label>${label} <select name="${escapeHtml(fieldName(row))}"${fixed}>${options.join('')}</select></label>`
}
