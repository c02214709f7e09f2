// A listener for errors that need no answer.

/**
 * For sockets whose clients may disconnect at any time. One function for all of them: a closure would keep everything that its
 * surroundings know, such as the request and its bytes, as long as the socket is open.
 */
export const ignoreError = (): void => {}
