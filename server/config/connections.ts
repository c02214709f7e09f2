// How many connections of each kind one process opens at most, where no setting says so.
//
// They stand together because the connection limit of clients is what these connections leave (process/connection-budget.ts).

/** Exports of personal data in progress. Each holds a database connection for as long as its reader takes. */
export const EXPORT_CONNECTIONS = 2

/** Searches of the log in progress. Each may keep one core of the database busy for seconds. */
export const SEARCH_CONNECTIONS = 2

/**
 * Workers of a Citus cluster for whose pools the process keeps file descriptors with NOTIF_CITUS_ROUTE=owner: as many as the usual
 * number of shards can use. How many there are is not known before the database answers.
 */
export const RESERVED_CITUS_WORKERS = 8

/** Attachments that are fetched at once. Each has one block in memory. */
export const FETCH_CONNECTIONS = 10

/** Slack messages in progress. Slack limits the rate (NOTIF_SLACK_PER_SECOND), not the connections. */
export const SLACK_CONNECTIONS = 10

/** FCM and web pushes in progress, each, unless NOTIF_PUSH_CONCURRENCY says otherwise. */
export const PUSH_CONNECTIONS = 50
