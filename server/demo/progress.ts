// The demo's report: after it is sent, it gets done in a few steps, as a back end would update it.

const STEP_MS = 1200
const STEPS: readonly object[] = [
  { progress: { value: 0.34 } },
  { progress: { value: 0.71 } },
  { progress: { value: 0.95 } },
  { notify: true, progress: { state: 'done' }, title: 'The September report is ready' }
]

/** @param update - changes the notification; an update of one that is gone ends the report */
export async function runReport(update: (fields: object) => Promise<boolean>): Promise<void> {
  for (const fields of STEPS) {
    await new Promise(resolve => setTimeout(resolve, STEP_MS).unref())
    if (!(await update(fields))) return
  }
}
