// The texts of one send.

import { plural } from '../words.ts'

export const sendWords = {
  again: 'Send again',
  againConfirm: (count: number) => `Send on ${plural(count, 'channel')}`,
  againTitle: (user: string) => `Send this again to ${user}?`,
  againWhy: (user: string) =>
    `One notification to ${user}, with the templates, preferences and addresses of now. It gets a new tracking id.`,
  asRendered: 'as rendered then',
  copy: 'Copy',
  copyCurl: 'Copy as curl',
  heading: (type: string, user: string) => `${type}, to ${user}`,
  isSent: 'Sent again',
  legend: { failed: 'a try that failed', seen: 'seen', taken: 'out of our hands' },
  mailFrame: 'The email',
  marks: {
    clicked: 'clicked',
    dead: 'given up',
    delivered: 'delivered',
    failed: 'failed',
    opened: 'opened',
    taken: 'taken'
  },
  neverArrived: 'never arrived',
  notExact: 'Rendered again: parts of the template may have been others then.',
  now: 'now',
  request: 'The send',
  requestSize: (bytes: number) => `as it came, ${bytes.toLocaleString('en')} bytes; secrets are never kept`,
  ruleNames: {
    address: 'The user has an address',
    'address-form': 'The address has the right form',
    bounce: 'The address has not bounced',
    condition: 'The condition of the send holds',
    'in-type': 'The type has this channel',
    preference: 'The preferences allow it',
    provider: 'The channel has a provider',
    rate: 'It is not one too many, and no repetition',
    render: 'The template renders',
    size: 'It is not too large',
    template: 'The type has a template for it',
    'type-on': 'The type is on',
    wait: 'Nothing cancelled it while it waited'
  } as Readonly<Record<string, string | undefined>>,
  seen: (user: string) => `What ${user} saw`,
  story: {
    accepted: 'Accepted',
    attempt: (attempt: number, outcome: string) =>
      outcome === 'sent' ? `Try ${attempt} was taken` : `Try ${attempt} failed`,
    clicked: 'Clicked',
    dead: 'Given up: a dead letter',
    deadWhy: 'It can be sent again, or discarded.',
    decision: (decision: string) => `Decision: ${decision}.`,
    discarded: 'Discarded before the queue',
    done: 'Done',
    failedEarly: 'Failed before the queue',
    next: 'Next try',
    opened: 'Opened',
    receipts: {
      answered: 'Answered',
      delayed: 'Delayed',
      delivered: 'Delivered',
      undelivered: 'Not delivered'
    },
    rules: 'The rules, in their order',
    sameWords: 'the same words',
    title: 'Channel by channel'
  },
  through: (through: number, tried: number) => {
    if (tried === 0) return 'No channel was used.'
    if (through === tried)
      return tried === 1 ? 'One channel was used, and it got through.' : `All ${tried} channels got through.`
    if (through === 0)
      return tried === 1 ? 'The one channel has not got through.' : `None of ${tried} channels got through.`
    return `${through} of ${tried} channels got through.`
  },
  title: 'Send',
  to: (user: string) => `to ${user}`,
  trace: 'What happened when',
  traceFrom: (time: string) => `from ${time}, on a scale that stretches the first seconds`,
  unused: (channels: readonly string[]) =>
    `${new Intl.ListFormat('en').format(channels)} ${channels.length === 1 ? 'is' : 'are'} not part of it.`
} as const
