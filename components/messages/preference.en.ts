// The texts of the preferences. The keys of channels and frequencies are the values of the wire format.

import { pauseMessages } from './pause.en.ts'

export const preferenceMessages = {
  ...pauseMessages,
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
  frequency: (channel: string) => `Frequency for ${channel}`,

  everything: 'Everything',
  everythingText: 'One switch for a whole channel. Your choices below are kept.',
  urgentFlag: 'Urgent',
  blockedChannel: 'Blocked',
  pauseButton: 'Pause',
  pauseHour: (until: string) => `For 1 hour (until ${until})`,
  pauseTomorrow: (until: string) => `Until tomorrow (${until})`,
  pauseOpen: 'Until I turn it on',
  pausedText: 'They wait in the inbox. Urgent ones still come.',
  quietTitle: 'Quiet hours',
  quietText: 'Nothing rings. What came is in the inbox, and the rest follows when they end.',
  quietFrom: 'From',
  quietTo: 'To',
  quietToNextDay: 'To, next day',
  quietDays: 'Days on which they begin',
  quietUrgent: 'Urgent ones pass',
  quietZone: (city: string, time: string) => `Your time, ${city}, now ${time}.`,

  /** Groups of users that the user is in. */
  topics: 'Topics',
  topicsText: 'What is sent to these groups reaches you.',
  leaveTopic: 'Leave',
  rejoinTopic: 'Join again',
  /** Below the title of a topic that the user has just left. */
  leftTopic: 'You left this group.'
}
