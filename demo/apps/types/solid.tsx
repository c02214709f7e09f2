/** @jsxImportSource solid-js */
// Checks the types for Solid templates. This file is only compiled.

import 'notif-kit/solid'

export const Bell = () => (
  <notif-provider clientId="heron" attr:user-id="amara">
    <notif-popup pageSize={5} on:notif-select={event => event.detail.item.title.trim()} class="bell" />
    <notif-provider prop:onNewNotifications={notifications => notifications.length} />
    {/* @ts-expect-error: Solid would listen for an event "newnotifications" */}
    <notif-provider onNewNotifications={() => {}} />
    {/* @ts-expect-error: no such corner */}
    <notif-launcher prop:position="MIDDLE" />
  </notif-provider>
)
