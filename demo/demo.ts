// The demo page: its form sends through the REST API of the server, and the page shows what arrives.

import type { NotifPopup, NotifPreferencesPopup } from '../components/index.ts'
import { answerActions } from './answer-actions.ts'
import { CHANNEL_CHIPS, createChip } from './chips.ts'
import { watchConnection } from './connection.ts'
import { PEOPLE, SAMPLES, type Person, type Sample } from './people.ts'
import { showSnippet } from './snippet.ts'

const find = <E extends Element>(selector: string): E => document.querySelector<E>(selector)!

const form = find<HTMLFormElement>('[data-send]')
const note = find<HTMLElement>('[data-note]')
const stage = find<HTMLElement>('.stage')
const script = find<HTMLScriptElement>('script[data-client-id]')
const field = <E extends Element>(name: string): E => form.elements.namedItem(name) as unknown as E
const [to, type, title, body] = [
  field<HTMLSelectElement>('to'),
  field<HTMLSelectElement>('type'),
  field<HTMLInputElement>('title'),
  field<HTMLTextAreaElement>('body')
]

const me: Person = PEOPLE.find(person => person.id === script.dataset['userId']) ?? PEOPLE[0]!
const selectedSample = (): Sample => SAMPLES.find(sample => sample.type === type.value) ?? SAMPLES[0]!
const recipient = (): Person => PEOPLE.find(person => person.id === to.value) ?? me

function fill(sample: Sample): void {
  title.value = sample.title
  body.value = sample.body
}

function showNote(tone: 'success' | 'muted' | 'danger', ...content: readonly (string | Node)[]): void {
  note.parentElement!.dataset['tone'] = tone
  note.replaceChildren(...content)
}

function animateSend(): void {
  delete stage.dataset['flying']
  void stage.offsetWidth
  stage.dataset['flying'] = ''
}

function createLink(text: string, href: string): HTMLAnchorElement {
  return Object.assign(document.createElement('a'), { href, target: '_blank', textContent: text })
}

// The socket is often faster than the answer of the send, so the page remembers both until they match.
const arrived = new Set<string>()
let awaited: string | undefined

function showArrival(): void {
  if (awaited !== undefined && arrived.has(awaited)) showNote('success', 'Arrived on this page')
}

interface Sent {
  readonly trackingId?: string
  readonly messages?: readonly string[]
  readonly message?: string
}

function showAccepted({ messages = [] }: Sent, person: Person, channels: readonly string[]): void {
  if (messages.length > 0) return showNote('muted', messages[0]!)
  if (!channels.includes('INAPP_WEB'))
    return showNote('muted', 'Accepted. ', createLink('Open the sandbox', '/sandbox'))
  if (person !== me)
    return showNote(
      'muted',
      `Accepted for ${person.name}. `,
      createLink(`Open the page of ${person.name}`, `/?user=${person.id}`)
    )
  showNote('muted', 'Accepted …')
  showArrival()
}

async function send(): Promise<void> {
  const channels = [...form.querySelectorAll<HTMLInputElement>('[data-channels] input:checked')].map(
    box => box.value
  )
  const person = recipient()
  const { image, type: id, url } = selectedSample()
  const message = { body: body.value, channels, image, title: title.value, to: person.id, type: id, url }
  awaited = undefined
  showNote('muted', 'Sending …')
  animateSend()
  const answer = await fetch('/demo/send', {
    body: JSON.stringify(message),
    headers: { 'content-type': 'application/json' },
    method: 'POST'
  })
  const sent = (await answer.json()) as Sent
  if (!answer.ok)
    return showNote('danger', sent.message ?? `The server answered with status ${answer.status}.`)
  awaited = sent.trackingId
  showAccepted(sent, person, channels)
}

for (const person of PEOPLE) to.add(new Option(person.name, person.id, false, person === me))
for (const sample of SAMPLES) type.add(new Option(sample.label, sample.type))
find('[data-channels]').append(...CHANNEL_CHIPS.map(createChip))
find('[data-me-title]').textContent = `What ${me.name.split(' ')[0]} sees`
for (const picture of ['[data-me-picture]', '[data-to-picture]'])
  find<HTMLImageElement>(picture).src = `/img/${me.id}.svg`
// Browsers keep the typed text when the page reloads.
if (title.value === '') fill(SAMPLES[0]!)

type.addEventListener('change', () => fill(selectedSample()))
to.addEventListener('change', () => {
  find<HTMLImageElement>('[data-to-picture]').src = `/img/${recipient().id}.svg`
})
form.addEventListener('submit', event => {
  event.preventDefault()
  send().catch(() => showNote('danger', 'The server cannot be reached. Check that it runs, and send again.'))
})
document.addEventListener('notif-new-notifications', event => {
  const { notifications } = (event as CustomEvent<{ notifications: readonly { id: string }[] }>).detail
  for (const { id } of notifications) arrived.add(id)
  showArrival()
})

// What a newcomer can do in a minute.
for (const button of document.querySelectorAll<HTMLElement>('[data-try]')) {
  button.addEventListener('click', () => {
    const name = button.dataset['try']!
    if (name === 'bell') return void find<NotifPopup>('.top notif-popup').show()
    if (name === 'preferences') return find<NotifPreferencesPopup>('notif-preferences-popup').show()
    to.value = me.id
    to.dispatchEvent(new Event('change'))
    type.value = name
    fill(selectedSample())
    form.requestSubmit()
  })
}

answerActions()
showSnippet(find('[data-snippet]'), find('[data-copy]'), script.dataset)
void watchConnection(find('.status'), find('[data-status]'))
