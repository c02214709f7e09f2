// Compares the client's types with the server's schemas: if they differ, this file does not compile.
//
// The client writes its types out, with units and defaults, because it imports nothing of the server.

import type { z } from 'zod'

import type { Channel, Delivery, InboxPage, InboxPatch, Notif } from '#protocol'

import type * as sdk from '../../server/client/index.ts'
import type { createBody } from '../../server/environments/schema.ts'
import type { toLogRecord } from '../../server/logs/log-record.ts'
import type { queryBody } from '../../server/logs/schema.ts'
import type { Preview, previewBody } from '../../server/preview/schema.ts'
import type { simulateBody } from '../../server/preview/simulate/schema.ts'
import type { listQuery, selectionBody } from '../../server/queue/dead-letters/schema.ts'
import type { listAnswer, listEntry, sendOrListBody } from '../../server/send/list/schema.ts'
import type { sendBody, retractBody } from '../../server/send/schema.ts'
import type { typeBody } from '../../server/types/schema.ts'
import type { contentSchemas, templateSchemas } from '../../server/types/templates/content.ts'
import type { element } from '../../server/users/preferences/schema.ts'
import type { identity } from '../../server/users/schema.ts'

/** Compiles only with `true`. */
type Holds<T extends true> = T
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Fits<A, B> = [A] extends [B] ? true : false
type Keys<T> = T extends unknown ? keyof T : never
/** Removes `readonly`: schemas take mutable arrays, the client's types are read-only. */
type Mutable<T> = T extends readonly (infer I)[]
  ? Mutable<I>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T

type Body = z.input<typeof sendBody>
type Options = NonNullable<Body['options']>
type Old = 'notificationId' | 'user' | 'mergeTags' | 'secondaryId'

export type Checks = [
  Holds<Same<sdk.Channel, Channel>>,
  Holds<Same<sdk.Delivery, Delivery>>,
  // A send: all fields of the schema except the former names, and no other.
  Holds<Fits<Mutable<sdk.SendRequest>, Body>>,
  Holds<Same<Keys<sdk.SendRequest>, Exclude<keyof Body, Old>>>,
  Holds<Same<keyof sdk.Recipient, Exclude<keyof NonNullable<Body['to']>, 'slackChannelName'>>>,
  Holds<Fits<Mutable<sdk.ListedRecipient>, z.input<typeof listEntry>>>,
  Holds<
    Same<
      keyof sdk.ListedRecipient,
      Exclude<keyof z.input<typeof listEntry>, 'mergeTags' | 'slackChannelName'>
    >
  >,
  Holds<Fits<Mutable<sdk.SendListRequest>, z.input<typeof sendOrListBody>>>,
  Holds<Fits<Mutable<sdk.SendListAnswer>, z.input<typeof listAnswer>>>,
  Holds<Same<keyof sdk.SendOptions, keyof Options>>,
  Holds<Same<keyof NonNullable<sdk.SendOptions['email']>, keyof NonNullable<Options['email']>>>,
  Holds<Same<keyof NonNullable<sdk.SendOptions['apn']>, keyof NonNullable<Options['apn']>>>,
  Holds<
    Same<
      keyof NonNullable<NonNullable<sdk.SendOptions['fcm']>['android']>,
      keyof NonNullable<NonNullable<Options['fcm']>['android']>
    >
  >,
  Holds<Same<Keys<sdk.RetractRequest>, Exclude<keyof z.input<typeof retractBody>, 'type' | 'secondaryId'>>>,
  // Content of every channel.
  Holds<
    Fits<
      Mutable<sdk.TemplateOf>,
      { [C in Channel]: z.input<(typeof templateSchemas)[C]> & z.input<(typeof contentSchemas)[C]> }
    >
  >,
  Holds<
    Same<
      { [C in Channel]: keyof sdk.TemplateOf[C] },
      { [C in Channel]: keyof z.input<(typeof templateSchemas)[C]> }
    >
  >,
  // Users.
  Holds<Fits<Mutable<sdk.UserDetails>, z.input<typeof identity>>>,
  Holds<Same<keyof sdk.UserDetails, Exclude<keyof z.input<typeof identity>, 'id'>>>,
  // Preferences.
  Holds<Fits<sdk.Preference, z.input<typeof element>>>,
  Holds<Same<keyof sdk.Preference, Exclude<keyof z.input<typeof element>, 'state'>>>,
  // Types.
  Holds<Fits<Mutable<Omit<sdk.TypeContent, 'templates'>>, z.input<typeof typeBody>>>,
  Holds<
    Same<
      keyof sdk.TypeContent,
      Exclude<keyof z.input<typeof typeBody>, 'id' | 'managedBy' | 'updatedAt' | 'version'>
    >
  >,
  // The log.
  Holds<Fits<Mutable<sdk.LogQuery>, z.input<typeof queryBody>>>,
  Holds<Same<keyof sdk.LogQuery, keyof z.input<typeof queryBody>>>,
  Holds<Fits<ReturnType<typeof toLogRecord>, sdk.LogRecord>>,
  // Dead letters.
  Holds<Fits<Mutable<sdk.DeadLetterOrder>, z.input<typeof selectionBody>>>,
  Holds<Same<keyof sdk.DeadLetterFilter, Exclude<keyof z.input<typeof listQuery>, 'count' | 'cursor'>>>,
  // Environments.
  Holds<Fits<Mutable<sdk.EnvironmentChange & sdk.EnvironmentKeys>, z.input<typeof createBody>>>,
  Holds<Same<keyof (sdk.EnvironmentChange & sdk.EnvironmentKeys), keyof z.input<typeof createBody>>>,
  // Previews and simulations.
  Holds<Fits<Mutable<sdk.PreviewRequest>, z.input<typeof previewBody>>>,
  Holds<Same<keyof sdk.PreviewRequest, keyof z.input<typeof previewBody>>>,
  Holds<Same<keyof sdk.Preview, keyof Preview>>,
  Holds<Fits<Mutable<sdk.Simulation>, z.input<typeof simulateBody>>>,
  Holds<Same<keyof sdk.Simulation, keyof z.input<typeof simulateBody>>>,
  // The inbox.
  Holds<Same<sdk.InAppNotification, Notif>>,
  Holds<Same<Mutable<sdk.InAppPage>, Mutable<InboxPage>>>,
  Holds<Fits<sdk.InAppUpdate, InboxPatch>>,
  Holds<Fits<InboxPatch, sdk.InAppUpdate>>
]
