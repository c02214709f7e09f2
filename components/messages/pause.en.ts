// The texts of the line that says that notifications are paused, in an inbox and in the preferences.

export const pauseMessages = {
  pausedUntil: (until: string) => `Paused until ${until}.`,
  paused: 'Paused.',
  /** After one of them, in an inbox. */
  pausedInbox: 'Urgent ones still come.',
  pauseEnd: 'Turn on'
}
