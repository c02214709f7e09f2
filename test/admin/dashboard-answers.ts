// What the screens of the dashboard expect of an answer is what the client says that the server answers. Checked by the compiler.

import type * as letters from '../../components/admin/api/dead-letters.ts'
import type * as queues from '../../components/admin/api/queues.ts'
import type * as sends from '../../components/admin/api/sends.ts'
import type * as status from '../../components/admin/api/status.ts'
import type * as tasks from '../../components/admin/api/tasks.ts'
import type * as client from '../../server/client/index.ts'

/** Fails to compile if an answer is not what is expected. */
type Fits<Expected, Answer extends Expected> = Answer

export type Checked = [
  Fits<status.Status, client.EnvironmentStatus>,
  Fits<letters.Cause, client.DeadLetterCause>,
  Fits<letters.DeadLetter, client.DeadLetter>,
  Fits<letters.Done, client.DeadLettersMoved>,
  Fits<tasks.Task, client.Task>,
  Fits<queues.ProbeResult, client.ProviderProbe>,
  Fits<sends.SendRecord, client.LogRecord>,
  Fits<sends.SendRecord, client.Explanation>
]
