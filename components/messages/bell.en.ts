// The texts of a closed bell, which load with the page. All others load with the code that shows them.

export const bellMessages = {
  title: 'Notifications',
  /** Accessible name of a bell that counts all notifications, not the new ones. */
  bell: (n: string) => `Notifications, ${n}`,
  bellNew: (n: string) => `Notifications, ${n} new`,
  /** Accessible name of a bell whose badge is a dot without a number. */
  bellDot: 'Notifications, new',
  bellPaused: 'Notifications, paused'
}

export type BellMessages = typeof bellMessages
