// The operations of one environment, for its back end and for operators.

import { broadcastCalls } from './broadcasts.ts'
import { openCall, type RetryingFetch } from './call.ts'
import { deadLetterCalls } from './dead-letters.ts'
import { inAppCalls } from './in-app.ts'
import { openJsonLines } from './json-lines.ts'
import { logCalls } from './logs.ts'
import { partialCalls } from './partials.ts'
import { preferenceCalls } from './preferences.ts'
import { previewCalls } from './preview.ts'
import { scheduleCalls } from './schedules.ts'
import { sendCalls } from './send.ts'
import { statusCalls } from './status.ts'
import { suggestionCalls } from './suggestions.ts'
import { taskCalls } from './tasks.ts'
import { topicCalls } from './topics.ts'
import { typeCalls } from './types.ts'
import { userOverviewCalls } from './user-overview.ts'
import { userCalls } from './users.ts'
import { versionCalls } from './versions.ts'

export function environmentCalls(retryingFetch: RetryingFetch) {
  const call = openCall(retryingFetch)
  return {
    ...sendCalls(call),
    ...broadcastCalls(call),
    ...userCalls(call, openJsonLines(retryingFetch)),
    ...preferenceCalls(call),
    ...inAppCalls(call),
    ...scheduleCalls(call),
    ...logCalls(call),
    ...suggestionCalls(call),
    ...deadLetterCalls(call),
    ...statusCalls(call),
    ...taskCalls(call),
    ...userOverviewCalls(call),
    ...topicCalls(call),
    ...typeCalls(call),
    ...versionCalls(call),
    ...partialCalls(call),
    ...previewCalls(call)
  }
}
