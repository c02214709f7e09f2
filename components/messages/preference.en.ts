// The words of the preferences. Channels and frequencies are named as on the wire.

export const preferenceWords = {
  preferences: 'Notification preferences',
  preferencesText: 'Choose what reaches you, where and how often.',
  preferencesKept: 'Changes are kept as you make them.',
  saved: 'Saved',
  preferencesEmptyTitle: 'Nothing to choose yet',
  preferencesEmptyText: 'What you have been sent once is listed here.',
  preferencesErrorTitle: 'The preferences did not load',

  INAPP_WEB: 'In app',
  EMAIL: 'Email',
  SMS: 'SMS',
  CALL: 'Call',
  PUSH: 'Mobile push',
  WEB_PUSH: 'Web push',
  SLACK: 'Slack',

  off: 'Off',
  instant: 'Instant',
  hourly: 'Hourly',
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  /** Of a channel that cannot be switched off. */
  always: 'Always on',
  /** Name of the choice of a frequency. */
  often: (channel: string) => `${channel}, how often`
}
