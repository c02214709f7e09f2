// Asks the back end of the app for the signed-in user and the user hash.

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

/** Sets the colour scheme of the page, which the elements follow. */
export function setDark(dark: boolean): void {
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
}
