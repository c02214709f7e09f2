// What would be sent, looked at before it is: whole sends planned, and templates rendered. Nothing is written.

import type { Ask, CallOptions } from './call.ts'
import type { ChannelStory, LogStatus } from './logs.ts'
import type { Channel, Instant } from './names.ts'
import type { Preference } from './preferences.ts'
import type { Recipient, SendOptions, SendRequest } from './send.ts'
import type { Templates } from './types.ts'

export interface Simulation {
  readonly send: SendRequest
  /** When it would be sent. Default: now. */
  readonly now?: Instant
  /** Instead of what is stored about the user; of a field `null`: as if nothing were. */
  readonly user?: {
    readonly email?: string | null
    readonly number?: string | null
    readonly timezone?: string | null
  }
  /** Instead of all that are stored. */
  readonly preferences?: readonly Preference[]
  /** Also what each channel would say. Default false. */
  readonly render?: boolean
}

export interface Simulated {
  /** Status with which `send` would be answered. */
  readonly wouldAnswer: number
  readonly status: LogStatus
  readonly now: Instant
  readonly messages: readonly string[]
  readonly channels: readonly (ChannelStory & {
    /** When it would go out. */
    readonly at?: Instant
    /** Addresses, numbers or tokens. */
    readonly to?: readonly string[]
    /** With `render`: the fields as they would be; `problem` says why there are none. */
    readonly content?: Readonly<Record<string, string>>
  })[]
}

/** Sample data as a send would bring it. */
export interface PreviewRequest {
  /** Default: every channel that has a template. */
  readonly channels?: readonly Channel[]
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly replace?: Readonly<Record<string, string>>
  readonly options?: SendOptions
  readonly templateId?: string
  /** Instead of those of the type, which need not exist then. */
  readonly templates?: Templates
  /** Default: a sample user. */
  readonly to?: Recipient
}

export interface Preview {
  readonly channel: Channel
  /** Id of the template; empty: the default one. */
  readonly template: string
  /** As they go out: of a mail the whole document and its text part. */
  readonly fields: Readonly<Record<string, string>>
  /** EMAIL: `html`, `text`, `mail` (encoded). PUSH: `apn`, `fcm`. WEB_PUSH: `payload`. Others: each field by its name. */
  readonly bytes: Readonly<Record<string, number>>
  /** Of an SMS. */
  readonly segments?: { readonly count: number; readonly encoding: 'GSM-7' | 'UCS-2' }
  /** Variables of the template without a value. */
  readonly missing: readonly string[]
  readonly warnings: readonly string[]
  /** Why nothing would go out. */
  readonly problem?: { readonly detail: string; readonly field?: string }
}

export interface PreviewAnswer {
  readonly previews: readonly Preview[]
  readonly messages: readonly string[]
}

export const trial = (ask: Ask) => ({
  /** What would become of a send, at any moment, for any user and preferences. */
  simulate: (simulation: Simulation, options?: CallOptions): Promise<Simulated> =>
    ask({ body: simulation, method: 'POST', path: ['simulate'] }, options),

  /** How the templates of a type would look. @throws NotifProblem 422 where one does not parse */
  previewType: (id: string, sample: PreviewRequest = {}, options?: CallOptions): Promise<PreviewAnswer> =>
    ask({ body: sample, method: 'POST', path: ['notifications', id, 'preview'] }, options)
})
