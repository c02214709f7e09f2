// Scenes with toasts.

import { configure } from '../../../components/index.ts'
import { harbour, world } from '../../../demo/harbour.ts'

type Make = (html: string) => void

const preferences = {
  notifications: [{ channels: [], notificationId: 'alert', options: {}, title: 'Alerts', urgent: true }],
  preferences: [],
  subNotifications: []
}

const page = (toast: string, dir = 'ltr'): string =>
  `<div class="page" dir="${dir}"><h2>Spring timetable</h2><p>Old Pier to Lantern Rock</p>
  <div class="bar"><notif-popup></notif-popup></div>${toast}</div>`

function scene(toast: string, dir?: string) {
  return (make: Make): void => {
    const { inbox, store } = world({ items: harbour(), preferences })
    configure({ store })
    make(page(toast, dir))
    const items = harbour()
      .slice(-4)
      .map(({ body = '', imageURL = '', title }) => ({ body, imageURL, title }))
    Object.assign(window, {
      arrive() {
        inbox.add({
          body: 'Boats keep 6 knots. Allow 15 minutes more.',
          redirectURL: '#fog',
          title: 'Fog on the island line until noon',
          type: 'alert'
        })
        for (const item of items) inbox.add(item)
      }
    })
  }
}

export const TOASTS: Readonly<Record<string, (make: Make) => void>> = {
  toasts: scene('<notif-toast></notif-toast>'),
  'toasts-arabic': scene('<notif-toast position="TOP_RIGHT"></notif-toast>', 'rtl'),
  'toasts-left': scene('<notif-toast position="TOP_LEFT"></notif-toast>')
}
