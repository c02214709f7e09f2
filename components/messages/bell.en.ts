// The texts of a closed bell, which load with the page. All others load with the code that shows them.

export const bellMessages = {
  title: 'Notifications',
  /** Accessible name of a bell that counts all notifications, not the unread ones. */
  bell: (n: string) => `Notifications, ${n}`,
  bellUnread: (n: string) => `Notifications, ${n} unread`,
  /** Accessible name of a bell whose badge is a dot without a number. */
  bellDot: 'Notifications, unread'
}

export type BellMessages = typeof bellMessages
