// The texts of the menus that snooze a notification or make its type quieter.

export const snoozeMessages = {
  /** Heading of the times at which a notification comes back. */
  snoozeUntil: 'Snooze until',
  laterToday: 'Later today',
  tomorrow: 'Tomorrow',
  nextWeek: 'Next week',
  pickTime: 'Pick a time',
  pickDay: 'Day',
  pickHour: 'Time',
  /** The button that snoozes until the picked time. */
  snoozeUntilTime: (until: string) => `Snooze until ${until}`,
  didSnooze: (until: string) => `Snoozed until ${until}`,
  /** The day is “tomorrow” in the language, in lower case. */
  dayAndTime: (day: string, time: string) => `${day}, ${time}`,
  turnOff: 'Turn off',
  turnOffText: 'None of these any more',
  onceADay: 'Once a day',
  onceADayText: 'Together, by email',
  typeSettings: 'Settings of this type',
  didMute: (type: string) => `Turned off: ${type}`,
  didDigest: 'Once a day from now on'
}
