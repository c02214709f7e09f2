// The playground: the form sends through the real REST route, the page shows what arrives.

import { CHANNEL_CHIPS, chip } from './chips.ts'
import { watchConnection } from './connection.ts'
import { PEOPLE, SAMPLES, type Person, type Sample } from './people.ts'
import { snippet } from './snippet.ts'

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
const chosen = (): Sample => SAMPLES.find(sample => sample.type === type.value) ?? SAMPLES[0]!
const addressee = (): Person => PEOPLE.find(person => person.id === to.value) ?? me

function fill(sample: Sample): void {
  title.value = sample.title
  body.value = sample.body
}

function say(tone: 'success' | 'muted' | 'danger', ...content: readonly (string | Node)[]): void {
  note.parentElement!.dataset['tone'] = tone
  note.replaceChildren(...content)
}

function fly(): void {
  delete stage.dataset['flying']
  void stage.offsetWidth
  stage.dataset['flying'] = ''
}

function link(text: string, href: string): HTMLAnchorElement {
  return Object.assign(document.createElement('a'), { href, target: '_blank', textContent: text })
}

// What was sent and what came: either may be known first, as the socket is often faster than the answer.
const arrived = new Set<string>()
let awaited: string | undefined

function greet(): void {
  if (awaited !== undefined && arrived.has(awaited)) say('success', 'Arrived on this page')
}

interface Sent {
  readonly trackingId?: string
  readonly messages?: readonly string[]
  readonly message?: string
}

function tell({ messages = [] }: Sent, person: Person, channels: readonly string[]): void {
  if (messages.length > 0) return say('muted', messages[0]!)
  if (!channels.includes('INAPP_WEB')) return say('muted', 'Accepted. ', link('See the sandbox', '/sandbox'))
  if (person !== me)
    return say('muted', `Accepted for ${person.name}. `, link('See it there', `/?user=${person.id}`))
  say('muted', 'Accepted …')
  greet()
}

async function send(): Promise<void> {
  const channels = [...form.querySelectorAll<HTMLInputElement>('[data-channels] input:checked')].map(
    box => box.value
  )
  const person = addressee()
  const { image, type: id, url } = chosen()
  const message = { body: body.value, channels, image, title: title.value, to: person.id, type: id, url }
  awaited = undefined
  say('muted', 'Sending …')
  fly()
  const answer = await fetch('/demo/send', {
    body: JSON.stringify(message),
    headers: { 'content-type': 'application/json' },
    method: 'POST'
  })
  const sent = (await answer.json()) as Sent
  if (!answer.ok) return say('danger', sent.message ?? `The server answered ${answer.status}.`)
  awaited = sent.trackingId
  tell(sent, person, channels)
}

for (const person of PEOPLE) to.add(new Option(person.name, person.id, false, person === me))
for (const sample of SAMPLES) type.add(new Option(sample.label, sample.type))
find('[data-channels]').append(...CHANNEL_CHIPS.map(chip))
find('[data-me-title]').textContent = `What ${me.name.split(' ')[0]} sees`
for (const picture of ['[data-me-picture]', '[data-to-picture]'])
  find<HTMLImageElement>(picture).src = `/img/${me.id}.svg`
// A reload keeps what was typed.
if (title.value === '') fill(SAMPLES[0]!)

type.addEventListener('change', () => fill(chosen()))
to.addEventListener('change', () => {
  find<HTMLImageElement>('[data-to-picture]').src = `/img/${addressee().id}.svg`
})
form.addEventListener('submit', event => {
  event.preventDefault()
  send().catch(() => say('danger', 'The server could not be reached.'))
})
document.addEventListener('notif-new-notifications', event => {
  const { notifications } = (event as CustomEvent<{ notifications: readonly { id: string }[] }>).detail
  for (const { id } of notifications) arrived.add(id)
  greet()
})

snippet(find('[data-snippet]'), find('[data-copy]'), script.dataset)
void watchConnection(find('.status'), find('[data-status]'))
