// The texts of what loads after the first action: the menu of the inbox, the line that undoes an action, the help about keys.

export const actionMessages = {
  sound: 'Sound',
  pause: 'Pause',
  /** After `pause`. */
  forOneHour: 'for 1 hour',
  didPause: (until: string) => `Paused until ${until}`,
  menuPreferences: 'Preferences',
  undo: 'Undo',
  /** Screen readers hear this after an undo. */
  undone: 'Undone',
  /** Screen readers hear this after what an action did. */
  pressZ: 'Press Z to undo.',
  didArchive: 'Archived',
  didUnarchive: 'Moved to inbox',
  didRead: 'Marked as read',
  didUnread: 'Marked as unread',
  didArchiveAll: (n: string) => `All ${n} archived`,
  didReadAll: (n: string) => `All ${n} marked as read`,
  notArchived: 'Not archived.',
  notDone: 'Not saved.',
  /** After `notArchived`. */
  isBack: (title: string) => `“${title}” is back.`,
  keyboard: 'Keyboard',
  /** Headings and lines of the help about keys. */
  keysMove: 'Move',
  keysDo: 'Do',
  keysAnywhere: 'Anywhere in the inbox',
  keysRows: 'Next, previous',
  keysEnds: 'First, last',
  keysInto: 'Into the row, back',
  /** Between keys that do the same. */
  or: 'or',
  keysOpen: 'Open',
  keysRead: 'Read or unread',
  keysSnooze: 'Snooze',
  keysReply: 'Reply',
  keysHelp: 'This help'
}
