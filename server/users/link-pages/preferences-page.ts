// The page behind the link: one choice for each type and channel, in a form that needs no script.

import { DELIVERIES, type Delivery } from '#protocol'

import { escapeHtml } from '../../core/escape-html.ts'
import type { Answer } from '../../http/route.ts'
import type { Matrix, Row } from '../preferences/matrix.ts'
import { leaf, type Language } from './link-page.ts'
import { WORDS, type Words } from './preferences-messages.ts'

/** Name of a choice in the form: what it is about, whatever was added since the page was opened. */
export const nameOf = ({ channel, notificationId, subNotificationId = '' }: Omit<Row, 'delivery'>): string =>
  JSON.stringify([notificationId, subNotificationId, channel])

/** What may be chosen for a row. */
export const choicesOf = (matrix: Matrix, { channel, notificationId }: Omit<Row, 'delivery'>): Delivery[] => {
  const type = matrix.notifications.find(one => one.notificationId === notificationId)
  return DELIVERIES.filter(delivery => type?.options[channel]?.[delivery] !== undefined)
}

/** @param matrix - undefined: the link is not ours */
export function preferencesPage(language: Language, matrix: Matrix | undefined, saved: boolean): Answer {
  const words = WORDS[language]
  const title = words.title
  if (!matrix) return leaf({ content: `<p>${words.unknown}</p>`, language, status: 404, title })
  const said = saved ? `<p role="status">${words.saved}</p>` : `<p>${words.ask}</p>`
  const groups = matrix.notifications.flatMap(({ notificationId, title: name }) => [
    groupOf(matrix, words, name, row => row.notificationId === notificationId && !row.subNotificationId),
    ...matrix.subNotifications
      .filter(sub => sub.notificationId === notificationId)
      .map(({ subNotificationId, title: sub }) =>
        groupOf(
          matrix,
          words,
          `${name}: ${sub}`,
          row => row.notificationId === notificationId && row.subNotificationId === subNotificationId
        )
      )
  ])
  const form = `<form method="post">\n${groups.join('\n')}\n<button>${words.save}</button>\n</form>`
  const content = groups.length === 0 ? `<p>${words.empty}</p>` : `${said}\n${form}`
  return leaf({ content, language, title })
}

function groupOf(matrix: Matrix, words: Words, name: string, isOf: (row: Row) => boolean): string {
  const fields = matrix.preferences.filter(isOf).map(row => fieldOf(matrix, words, row))
  return `<fieldset><legend>${escapeHtml(name)}</legend>\n${fields.join('\n')}\n</fieldset>`
}

function fieldOf(matrix: Matrix, words: Words, row: Row): string {
  const choices = choicesOf(matrix, row)
  const options = choices.map(
    one =>
      `<option value="${one}"${one === row.delivery ? ' selected' : ''}>${words.deliveries[one]}</option>`
  )
  const fixed = choices.length < 2 ? ' disabled' : ''
  const label = words.channels[row.channel]
  return `<label>${label} <select name="${escapeHtml(nameOf(row))}"${fixed}>${options.join('')}</select></label>`
}
