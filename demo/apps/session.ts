// What each app asks its own back end: who is signed in, with the hash that proves it.

export interface Session {
  readonly apiUrl: string
  readonly clientId: string
  readonly userId: string
  readonly userHash: string
}

export async function signIn(): Promise<Session> {
  const answer = await fetch(`/session${location.search}`)
  return (await answer.json()) as Session
}

/** Light or dark is the page's business; the elements follow it. */
export function setDark(dark: boolean): void {
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
}
