// Checks the types for React templates. This file is only compiled.

import 'notif-kit/react'

export const Bell = () => (
  <notif-provider clientId="heron" user-id="amara">
    <notif-popup page-size="5" count="COUNT_UNARCHIVED_NOTIFICATIONS" className="bell" />
    {/* @ts-expect-error: no such mode */}
    <notif-popup count="COUNT_EVERYTHING" />
    {/* @ts-expect-error: the event has another type */}
    <notif-popup onnotif-action={(event: MouseEvent) => event.clientX} />
    <notif-provider onnotif-new-notifications={event => event.detail.notifications.length} />
    {/* @ts-expect-error: React would listen for an event "NewNotifications" */}
    <notif-provider onNewNotifications={() => {}} />
    <notif-toast position="TOP_LEFT" onnotif-toast-show={event => event.detail.item.title} />
    <notif-preferences-popup onclose={event => event.type} />
    {/* @ts-expect-error: React would listen for an event "Close" */}
    <notif-preferences-popup onClose={() => {}} />
  </notif-provider>
)
