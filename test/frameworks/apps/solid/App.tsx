// What Solid renders on a server and hydrates in a page.

import type { KitConfig, Notif } from 'notif-kit'
import 'notif-kit/define'
import 'notif-kit/solid'
import { createSignal, Show } from 'solid-js'

const draw = ({ title }: Notif): string => `» ${title}`

export function App(props: { readonly session: KitConfig }) {
  const [shown, setShown] = createSignal(true)
  const [heard, setHeard] = createSignal(0)
  const [last, setLast] = createSignal('none')
  return (
    <>
      <button id="toggle" onClick={() => setShown(!shown())}>
        {heard()} heard, {last()} chosen
      </button>
      <Show when={shown()}>
        <notif-provider
          lang="de"
          prop:apiUrl={props.session.apiUrl}
          prop:clientId={props.session.clientId}
          prop:userId={props.session.userId}
          prop:userHash={props.session.userHash}
          on:notif-new-notifications={event => setHeard(heard() + event.detail.notifications.length)}
        >
          <notif-counter prop:max={9} attr:show-zero="">
            <b>Inbox</b>
          </notif-counter>
          <notif-popup
            prop:filter={({ title }: Notif) => title !== 'Hidden'}
            prop:pageSize={7}
            prop:popoverPosition="bottom right"
            prop:unreadBadgeProps={{ max: 50 }}
            on:notif-select={event => {
              event.preventDefault()
              setLast(event.detail.item.title)
            }}
          />
          <notif-feed prop:pageSize={5} prop:renderItem={draw}>
            <p slot="empty">Nothing here yet</p>
          </notif-feed>
        </notif-provider>
      </Show>
    </>
  )
}
