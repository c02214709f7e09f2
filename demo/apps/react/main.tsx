// React 19: elements are tags, their properties are props, and their events are `on…` props.

import { useStore } from '@nanostores/react'
import { getNotifContext } from 'notif-kit'
import 'notif-kit/define'
import 'notif-kit/react'
import type { NotifStore } from 'notif-kit/store'
import { StrictMode, useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

import { inApp, setInApp } from '../in-app.ts'
import { setDark, signIn, type Session } from '../session.ts'

/** Uses the store without elements, with the hook of nanostores. */
function Headless({ store }: { readonly store: NotifStore }) {
  const unseen = useStore(store.$unseen)
  const preferences = useStore(store.$preferences)
  return (
    <>
      <p>
        <output>{unseen}</output> new
        <button onClick={() => void store.markAsArchived('ALL')}>Empty the inbox</button>
      </p>
      {inApp(preferences).map(({ delivery, notificationId: type }) => (
        <label key={type}>
          <input
            type="checkbox"
            checked={delivery !== 'off'}
            onChange={event => void setInApp(store, type, event.target.checked)}
          />
          {type} in the app
        </label>
      ))}
    </>
  )
}

function App({ session }: { readonly session: Session }) {
  const [lang, setLang] = useState('en')
  const [last, setLast] = useState('')
  const [store, setStore] = useState<NotifStore>()
  const place = useRef<HTMLElement>(null)
  useEffect(() => void getNotifContext(place.current!).then(setStore), [])
  return (
    <notif-provider {...session} lang={lang}>
      <header ref={place}>
        <h1>React</h1>
        <notif-counter showZero />
        <notif-popup
          popoverPosition="bottom right"
          onnotif-select={event => {
            event.preventDefault()
            setLast(event.detail.item.title)
          }}
        />
      </header>
      {store && <Headless store={store} />}
      <p>Last chosen: {last}</p>
      <label>
        Language
        <select value={lang} onChange={event => setLang(event.target.value)}>
          <option>en</option>
          <option>de</option>
        </select>
      </label>
      <label>
        <input type="checkbox" onChange={event => setDark(event.target.checked)} /> Dark
      </label>
    </notif-provider>
  )
}

createRoot(document.querySelector('#app')!).render(
  <StrictMode>
    <App session={await signIn()} />
  </StrictMode>
)
