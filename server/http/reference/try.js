// "Try it" on a server with the demo: really sends, to a person of the demo. The server adds the credentials, which are never in the page.

import { renderJson } from './samples.js'

const OPERATIONS = ['send', 'simulate']

const SAMPLE = { title: 'Your report is ready', body: 'It has 12 pages.' }

let count = 0

function create(name, properties, ...children) {
  const { data = {}, ...rest } = properties
  const node = Object.assign(document.createElement(name), rest)
  Object.assign(node.dataset, data)
  node.append(...children)
  return node
}

function labelled(text, field) {
  field.id = `try-${(count += 1)}`
  return create('p', {}, create('label', { htmlFor: field.id, textContent: text }), field)
}

/** The tab and the code of the answer, before those that tests recorded. */
function createLive(card) {
  const tab = create(
    'button',
    { className: 'tab', data: { answer: 'live' }, type: 'button' },
    create('span', { className: 'status', textContent: 'Live' })
  )
  tab.setAttribute('role', 'tab')
  tab.setAttribute('aria-selected', 'false')
  const block = create('pre', { data: { block: 'live' }, hidden: true, tabIndex: 0 })
  block.setAttribute('role', 'group')
  block.setAttribute('aria-label', 'Live answer')
  const note = create('p', { className: 'arrived', data: { block: 'live' }, hidden: true })
  note.setAttribute('role', 'status')
  card.querySelector('.tab-list').prepend(tab)
  card.append(block, note)
  return { block, note, tab }
}

function showAnswer(live, { body, milliseconds, status }, person, isSend) {
  live.block.replaceChildren(create('code', {}, ...renderJson(body)))
  live.tab.firstElementChild.dataset.class = String(status)[0]
  const isSent = isSend && status < 300
  live.note.dataset.isBad = status >= 400
  live.note.replaceChildren(
    `${status} in ${milliseconds} ms.${isSent ? ` It is in the inbox of ${person}.` : ''}`,
    ...(isSent ? [create('a', { href: `./?user=${person}`, textContent: 'Read it', target: '_blank' })] : [])
  )
  live.tab.click()
}

async function send({ body, key, live, operation }) {
  live ??= createLive(body.closest('.cards').querySelector('.card:not(.dark)'))
  let parsed
  try {
    parsed = JSON.parse(body.value)
  } catch (error) {
    body.setCustomValidity(error.message)
    body.reportValidity()
    return live
  }
  const answer = await fetch('demo/try', {
    body: JSON.stringify({ body: parsed, operation, ...(key.value && { key: key.value }) }),
    headers: { 'content-type': 'application/json' },
    method: 'POST'
  })
  const result = await answer.json()
  const shown = answer.ok ? result : { body: result, milliseconds: 0, status: answer.status }
  showAnswer(live, shown, parsed.to?.id, operation === 'send')
  return live
}

function createForm(operation, person) {
  const key = create('input', { autocomplete: 'off', spellcheck: false, value: 'report-1' })
  const example = { type: 'report_ready', to: { id: person }, inapp: SAMPLE }
  const body = create('textarea', { rows: 10, spellcheck: false, value: JSON.stringify(example, null, 2) })
  body.addEventListener('input', () => body.setCustomValidity(''))
  const button = create(
    'button',
    { className: 'main', type: 'button' },
    'Send',
    create('kbd', { textContent: 'Ctrl ↵' })
  )
  let live
  const onSend = async () => {
    if (button.disabled) return
    button.disabled = true
    live = await send({ body, key, live, operation }).finally(() => (button.disabled = false))
    // The next request is another one.
    key.value = key.value.replace(/\d+$/, number => Number(number) + 1)
  }
  button.addEventListener('click', onSend)
  const form = create(
    'div',
    { className: 'try-form' },
    ...(operation === 'send' ? [labelled('Idempotency-Key', key)] : []),
    labelled('Body', body),
    create(
      'p',
      { className: 'try-do' },
      create('span', {}, 'The server adds the secret, which is never shown.'),
      button
    )
  )
  form.addEventListener('keydown', event => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void onSend()
  })
  return form
}

/** @param people - ids; the first one is suggested */
export function offerTry([person]) {
  for (const operation of OPERATIONS) {
    const card = document.querySelector(`[id="${operation}"] .card.dark`)
    const promise =
      operation === 'send'
        ? 'Demo mode: it really sends, on this server only.'
        : 'Demo mode: what this server would do.'
    const summary = create(
      'summary',
      {},
      create('span', {}, promise),
      create('b', { className: 'main shut' }, 'Try it'),
      create('b', { className: 'main opened' }, 'Close')
    )
    card?.append(create('details', { className: 'try' }, summary, createForm(operation, person)))
  }
}
