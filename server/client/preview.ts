// Simulates sends and renders templates with sample data. Nothing is stored and nothing is sent.

import type { Call, CallOptions } from './call.ts'
import type { ChannelExplanation, LogStatus } from './logs.ts'
import type { Channel, Instant } from './names.ts'
import type { Preference } from './preferences.ts'
import type { Recipient, SendOptions, SendRequest } from './send.ts'
import type { Templates } from './types.ts'

export interface Simulation {
  readonly send: SendRequest
  /** Time of the send. Default: now. */
  readonly now?: Instant
  /** Contact details to use instead of the stored ones; `null`: as if nothing were stored. */
  readonly user?: {
    readonly email?: string | null
    readonly number?: string | null
    readonly timezone?: string | null
  }
  /** Preferences to use instead of all stored ones. */
  readonly preferences?: readonly Preference[]
  /** Also renders the content of each channel. Default: false. */
  readonly render?: boolean
}

export interface Simulated {
  /** HTTP status that `send` would return. */
  readonly wouldAnswer: number
  readonly status: LogStatus
  readonly now: Instant
  readonly messages: readonly string[]
  readonly channels: readonly (ChannelExplanation & {
    /** Time at which the channel would be delivered. */
    readonly at?: Instant
    /** Addresses, numbers or tokens. */
    readonly to?: readonly string[]
    /** With `render`: the rendered fields, or `problem` with the reason why rendering failed. */
    readonly content?: Readonly<Record<string, string>>
  })[]
}

/** Sample data, as a send would have it. */
export interface PreviewRequest {
  /** Default: every channel with a template. */
  readonly channels?: readonly Channel[]
  /** Languages to preview each channel in; `all`: every language of its templates. Default: that of the user. */
  readonly locales?: 'all' | readonly string[]
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly replace?: Readonly<Record<string, string>>
  readonly options?: SendOptions
  readonly templateId?: string
  /** Templates to use instead of the stored ones; the type does not have to exist then. */
  readonly templates?: Templates
  /** Default: a sample user. */
  readonly to?: Recipient
  /** A send of the log, whose parameters, replacements, options, template id and user are the defaults. */
  readonly trackingId?: string
}

export interface Preview {
  readonly channel: Channel
  /** Id of the template; an empty text is the default template. */
  readonly template: string
  /** Language of the preview. Absent: the template without a language. */
  readonly locale?: string
  /** Rendered fields. For an email: the whole HTML document and its text part. */
  readonly fields: Readonly<Record<string, string>>
  /**
   * Sizes in bytes. EMAIL: `html`, `text` and `mail` (encoded); PUSH: `apn` and `fcm`; WEB_PUSH: `payload`; other channels:
   * each field by its name.
   */
  readonly bytes: Readonly<Record<string, number>>
  /** Segments of an SMS. */
  readonly segments?: { readonly count: number; readonly encoding: 'GSM-7' | 'UCS-2' }
  /** Variables of the template that have no value. */
  readonly missing: readonly string[]
  readonly warnings: readonly string[]
  /** Reason why the channel would not be delivered. */
  readonly problem?: {
    readonly detail: string
    readonly field?: string
    /** Place in the text of the template, from 1. */
    readonly line?: number
    readonly column?: number
  }
}

export interface PreviewAnswer {
  readonly previews: readonly Preview[]
  readonly messages: readonly string[]
}

/** What a send said on one channel. */
export interface SentChannelContent {
  readonly channel: Channel
  /**
   * `stored`: as it is in the inbox. `rendered`: rendered again from the send and the version of the type of then. `logged`: the
   * beginning that the log keeps.
   */
  readonly source: 'stored' | 'rendered' | 'logged'
  readonly fields: Readonly<Record<string, string>>
  readonly template?: string
  readonly version?: number
  readonly locale?: string
  readonly problem?: Preview['problem']
  /** False if the message may have been another one. */
  readonly isExact: boolean
}

export interface SentContent {
  readonly trackingId: string
  readonly type: string
  readonly channels: readonly SentChannelContent[]
}

export const previewCalls = (call: Call) => ({
  /** Plans a send for any time, user and preferences, and returns what would be delivered. */
  simulate: (simulation: Simulation, options?: CallOptions): Promise<Simulated> =>
    call({ body: simulation, method: 'POST', path: ['simulate'] }, options),

  /** Returns what a send said on each channel. @throws NotifProblem 404 if the log has no such send */
  getSentContent: (trackingId: string, options?: CallOptions): Promise<SentContent> =>
    call({ method: 'GET', path: ['logs', trackingId, 'content'] }, options),

  /** Renders the templates of a type. @throws NotifProblem 422 if a template does not parse */
  previewType: (id: string, sample: PreviewRequest = {}, options?: CallOptions): Promise<PreviewAnswer> =>
    call({ body: sample, method: 'POST', path: ['notifications', id, 'preview'] }, options)
})
