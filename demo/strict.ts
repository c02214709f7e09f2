// The strict page: shows its content security policy, counts violations, and sends notifications.

import { answerActions } from './answer-actions.ts'
import { SAMPLES, VISITOR } from './people.ts'

const find = <E extends Element>(selector: string): E => document.querySelector<E>(selector)!

// The policy allows constructed style sheets, but no inline styles.
const sheet = new CSSStyleSheet()
sheet.replaceSync(`
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-inline-size: 640px; margin: 0 auto; padding: 16px 24px }
  header { display: flex; align-items: center; gap: 12px }
  h1 { margin-inline-end: auto; font-size: 24px }
  nav { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-block-end: 16px }
  nav a { color: inherit }
  [aria-current] { font-weight: 600; text-decoration: none }
  button { min-block-size: 44px; padding-inline: 16px; font: inherit }
`)
document.adoptedStyleSheets.push(sheet)

let violations = 0
document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
  // Browsers request the favicon themselves; Firefox and Safari report it as a violation.
  if (blockedURI.endsWith('/favicon.ico')) return
  violations += 1
  find('[data-violations]').textContent = String(violations)
  console.warn(`${effectiveDirective} blocked ${blockedURI}`)
})

const { headers } = await fetch(location.href)
find('[data-policy]').textContent = headers.get('content-security-policy')

/** Samples with buttons, a reply field, a progress bar and people. */
const SHOWN: ReadonlySet<string> = new Set(['approval', 'new_comment', 'report', 'timetable'])

for (const { label, type } of SAMPLES.filter(sample => SHOWN.has(sample.type))) {
  const button = Object.assign(document.createElement('button'), { textContent: label, type: 'button' })
  button.dataset['send'] = type
  find('[data-samples]').append(' ', button)
}

let sent = 0
find('[data-samples]').addEventListener('click', async ({ target }) => {
  const type = (target as HTMLElement).closest<HTMLElement>('[data-send]')?.dataset['send']
  if (type === undefined) return
  const sample = SAMPLES.find(one => one.type === type)
  sent += 1
  await fetch('/demo/send', {
    body: JSON.stringify({
      body: sample?.body ?? 'This row needs no style attribute, no picture and no HTML.',
      channels: ['INAPP_WEB'],
      title: sample?.title ?? `Strict notification ${sent}`,
      to: VISITOR.id,
      type
    }),
    headers: { 'content-type': 'application/json' },
    method: 'POST'
  })
})
answerActions()
