// The same rows from the same server, made by hand: what a list without any library costs.

import type { InboxChange, InboxPage, Notif } from '../../../components/protocol/index.ts'

const {
  apiUrl,
  clientId,
  list: own,
  userHash,
  userId
} = Object.fromEntries(new URLSearchParams(location.search))

const style = document.createElement('style')
style.textContent = `
  ol { list-style: none; margin: 0; padding: 0; font: 14px/1.4 system-ui, sans-serif }
  li { display: grid; grid-template-columns: 40px 1fr auto; gap: 12px; padding: 12px; border-bottom: 1px solid #ddd }
  .face { width: 40px; height: 40px; border-radius: 50%; background: #cde; display: grid; place-items: center }
  a { color: inherit; font-weight: 600; text-decoration: none }
  p { margin: 0 } time { color: #666 }`
document.head.append(style)

const list = document.createElement('ol')
document.body.append(list)

function rowOf({ body, date, redirectURL, title }: Notif): HTMLLIElement {
  const row = document.createElement('li')
  const face = document.createElement('span')
  face.className = 'face'
  face.textContent = title.charAt(0)
  const words = document.createElement('div')
  const link = document.createElement('a')
  link.href = redirectURL ?? '#'
  link.textContent = title
  const text = document.createElement('p')
  text.textContent = body ?? ''
  words.append(link, text)
  const time = document.createElement('time')
  time.dateTime = date
  time.textContent = new Date(date).toLocaleTimeString()
  row.append(face, words, time)
  return row
}

async function live(): Promise<void> {
  const page = (await (
    await fetch(`${apiUrl}/${clientId}/users/${userId}/inbox?count=1000`, {
      headers: { authorization: `Basic ${btoa(`${clientId}:${userId}:${userHash}`)}` }
    })
  ).json()) as InboxPage
  list.append(...page.items.map(rowOf))

  const socket = new WebSocket(`${apiUrl!.replace('http', 'ws')}/ws?kit=1`)
  socket.addEventListener('open', () =>
    socket.send(
      JSON.stringify({
        payload: { clientId, protocol: 1, userHash, userId, version: page.version },
        route: 'inbox/hello'
      })
    )
  )
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const { payload, route } = JSON.parse(data) as { payload: InboxChange; route: string }
    if (route === 'inbox/change') list.prepend(...payload.items.map(rowOf))
  })
}

if (own) list.append(...((await (await fetch(own)).json()) as Notif[]).map(rowOf))
else await live()
