// Settings of answers: what one may hold, and how long its reader may take for it.

import { setting, whole } from './parse.ts'

export const ANSWERS = {
  readerSeconds: setting(
    'NOTIF_READER_SECONDS',
    'How long whoever asked may take nothing of an answer before the connection is closed',
    whole(60, 1, 3600)
  ),
  exports: setting(
    'NOTIF_EXPORTS',
    'Exports of what is held about users at once, each with a database connection beside NOTIF_DB_CONNECTIONS',
    whole(2, 1, 100)
  ),
  exportSeconds: setting(
    'NOTIF_EXPORT_SECONDS',
    'How long the reader of an export may take for 300 kB of it before another environment that asks is given its place',
    whole(30, 1, 3600)
  ),
  sandboxPageBytes: setting(
    'NOTIF_SANDBOX_PAGE_BYTES',
    'Bytes of messages after which a page of the sandbox ends; one always comes, and a mail may have three million',
    whole(8_000_000, 1000, 1_000_000_000)
  )
} as const
