// Bodies that test/security/generated.test.ts found once: fixed cases of every run.

export interface FoundBody {
  /** Method and pattern of the route. */
  readonly operation: string
  readonly body: string
}

export const FOUND: readonly FoundBody[] = [
  // Half of a surrogate pair is not UTF-8: the server reads the replacement character, which an id may hold.
  {
    body: '{"notificationId":"http://127.0.0.1:1/a\ud800","userId":"project-1","subNotificationId":"+05:30","type":null}',
    operation: 'POST /:clientId/sender/retract'
  }
]
