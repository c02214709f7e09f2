// The texts of the preferences. The keys of channels and frequencies are the values of the wire format.

export const preferenceMessages = {
  preferencesText: 'Choose which notifications you get, where and how often.',
  preferencesSaved: 'Changes are saved automatically.',
  saved: 'Saved',
  preferencesEmptyTitle: 'No notification preferences yet',
  preferencesEmptyText: 'A notification type appears here after you receive it for the first time.',
  preferencesErrorTitle: 'Your preferences did not load',

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
  /** State of a channel that cannot be turned off. */
  always: 'Always on',
  /** Accessible name of the field that chooses a frequency. */
  frequency: (channel: string) => `Frequency for ${channel}`
}
