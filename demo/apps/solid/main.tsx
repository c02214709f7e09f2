/** @jsxImportSource solid-js */
// Solid: elements are tags, `prop:` sets their properties, `on:` listens.

import { useStore } from '@nanostores/solid'
import { getNotifContext } from 'notif-kit'
import 'notif-kit/define'
import 'notif-kit/solid'
import type { NotifStore } from 'notif-kit/store'
import { createSignal, For, onMount, Show } from 'solid-js'
import { render } from 'solid-js/web'

import { inApp, setInApp } from '../in-app.ts'
import { setDark, signIn, type Session } from '../session.ts'

/** Uses the store without elements, with the hook of nanostores. */
function Headless(props: { readonly store: NotifStore }) {
  const unseen = useStore(props.store.$unseen)
  const preferences = useStore(props.store.$preferences)
  return (
    <>
      <p>
        <output>{unseen()}</output> new
        <button onClick={() => void props.store.markAsArchived('ALL')}>Empty the inbox</button>
      </p>
      <For each={inApp(preferences())}>
        {choice => (
          <label>
            <input
              type="checkbox"
              checked={choice.delivery !== 'off'}
              onChange={event =>
                void setInApp(props.store, choice.notificationId, event.currentTarget.checked)
              }
            />
            {choice.notificationId} in the app
          </label>
        )}
      </For>
    </>
  )
}

function App(props: { readonly session: Session }) {
  const [lang, setLang] = createSignal('en')
  const [last, setLast] = createSignal('')
  const [store, setStore] = createSignal<NotifStore>()
  // Solid assigns the variable through `ref`.
  // oxlint-disable-next-line no-unassigned-vars
  let place!: HTMLElement
  onMount(() => void getNotifContext(place).then(setStore))
  return (
    <notif-provider
      prop:apiUrl={props.session.apiUrl}
      prop:clientId={props.session.clientId}
      prop:userId={props.session.userId}
      prop:userHash={props.session.userHash}
      lang={lang()}
    >
      <header ref={place}>
        <h1>Solid</h1>
        <notif-counter prop:showZero={true} />
        <notif-popup
          prop:popoverPosition="bottom right"
          on:notif-select={event => {
            event.preventDefault()
            setLast(event.detail.item.title)
          }}
        />
      </header>
      <Show when={store()}>{found => <Headless store={found()} />}</Show>
      <p>Last chosen: {last()}</p>
      <label>
        Language
        <select value={lang()} onChange={event => setLang(event.currentTarget.value)}>
          <option>en</option>
          <option>de</option>
        </select>
      </label>
      <label>
        <input type="checkbox" onChange={event => setDark(event.currentTarget.checked)} /> Dark
      </label>
    </notif-provider>
  )
}

const session = await signIn()
render(() => <App session={session} />, document.querySelector('#app')!)
