// The texts of the screen about broadcasts.

import { plural, words } from '../words.ts'

const people = (count: number): string => plural(count, 'person', 'people')

export const broadcastWords = {
  why: 'One message to everybody, to those who follow a topic, or to a segment. Each person’s preferences count.',

  underWay: 'Under way',
  to: (audience: string) => `to ${audience}`,
  by: (actor: string, time: string) => `started ${time} by ${actor}`,
  waits: (time: string) => `begins ${time}`,
  waitsLocal: (time: string) => `at ${time} in each one’s time zone`,
  pause: 'Pause',
  resume: 'Go on',
  stop: 'Stop…',
  stopTitle: (title: string) => `Stop “${title}”?`,
  stopWhy: (done: number, total: number) =>
    `${done.toLocaleString('en')} of ${people(total)} have got it and keep it. The others get nothing. It cannot go on afterwards.`,
  stopConfirm: 'Stop it',
  stopped: 'The broadcast is stopped',
  of: (total: number) => `of ${people(total)}`,
  perSecond: 'a second',
  leftOut: 'left out by their preferences',
  failed: 'failed',
  about: (time: string) => `done in about ${time}`,
  paused: 'Paused',

  new: 'New broadcast',
  audience: 'To',
  kinds: { everyone: 'Everybody', properties: 'Segment', topic: 'Topic' },
  topic: 'Topic',
  noTopics: 'No topics yet',
  property: 'Property',
  propertyHint: 'plan',
  value: 'Value',
  valueHint: 'pro',
  type: 'Type',
  when: 'When',
  times: { at: 'At a time', local: 'At a time in each one’s time zone', now: 'Now' },
  time: 'Time',
  title: 'Title',
  text: 'Text',
  contentHelp: 'Left empty, the templates of the type say everything.',
  rate: 'No faster than',
  rates: {
    0: 'As fast as it goes',
    10: '10 a second',
    50: '50 a second',
    200: '200 a second',
    1000: '1,000 a second'
  },
  send: (count: number) => `Send to ${people(count)}…`,
  schedule: (count: number) => `Schedule for ${people(count)}…`,
  sendPlain: 'Send…',
  askTitle: (title: string, count: number) => `Send “${title}” to ${people(count)}?`,
  askWhy: 'It begins at once. You can pause and stop it, but what was sent stays.',
  askWhyLater: 'It waits for its time. You can stop it until then.',
  askConfirm: (count: number) => `Send to ${people(count)}`,
  created: 'The broadcast is on its way',
  createdLater: 'The broadcast waits for its time',

  reach: 'Who it reaches',
  reaches: {
    everyone: 'users of this environment',
    properties: 'users have this property',
    topic: 'users follow this topic'
  },
  reachWhy: 'Counted now. Preferences are applied when it is sent.',
  preview: 'As it looks in the inbox',

  earlier: 'Earlier',
  columns: ['Broadcast', 'To', 'Reached', 'State', 'When'],
  columnsWithActions: ['Broadcast', 'To', 'Reached', 'State', 'When', words.actions],
  reached: (done: number, leftOut: number) =>
    leftOut === 0 ? people(done) : `${people(done)}, ${leftOut.toLocaleString('en')} left out`,
  retract: 'Retract…',
  retractLabel: (title: string) => `Retract ${title}…`,
  retractTitle: (title: string) => `Retract “${title}”?`,
  retractWhy:
    'It disappears from all inboxes and from whatever still waits. Emails and other messages that went out stay with their readers.',
  retractConfirm: (count: number) => `Retract from ${people(count)}`,
  retracting: 'The broadcast is being retracted',
  empty: 'No broadcasts yet',
  emptyWhy: 'What is sent to many users at once is listed here, with how far it got.',
  states: {
    done: 'Done',
    failed: 'Failed',
    paused: 'Paused',
    queued: 'Waits',
    retracted: 'Retracted',
    retracting: 'Being retracted',
    running: 'Sending',
    stopped: (done: number) => `Stopped at ${done.toLocaleString('en')}`
  },
  first: 'First page',
  next: 'Next page'
}
