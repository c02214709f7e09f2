// Suggestions for a search of the log, and the socket that says when there are new sends.

import type { Suggestion, SuggestionKind, TailTicket } from '../../../server/client/suggestions.ts'
import type { Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type { Suggestion, SuggestionKind } from '../../../server/client/suggestions.ts'

const SUGGESTIONS = 5

export const suggest = (
  { api }: AdminScope,
  text: string,
  kinds: readonly SuggestionKind[],
  signal: AbortSignal
): Promise<Answer<{ readonly suggestions: readonly Suggestion[] }>> =>
  api.get('/logs/suggestions', { query: { count: SUGGESTIONS, kind: kinds.join(','), text }, signal })

export interface TailHandlers {
  onOpen(): void
  onSends(): void
  /** Also if the server has no socket for the page, or the ticket has ended. */
  onClose(): void
}

/** @returns a function that closes the socket */
export function openTail({ api, operators }: AdminScope, handlers: TailHandlers): () => void {
  let socket: WebSocket | undefined
  let isClosed = false
  const open = async (): Promise<void> => {
    const answer = await api.post<TailTicket>('/logs/live', { body: {} })
    if (isClosed) return
    if (!answer.ok) return handlers.onClose()
    const { ticket } = answer.value
    const url = new URL(`${operators.base}/ws?kit=1`, location.href)
    url.protocol = url.protocol.replace('http', 'ws')
    const own = (socket = new WebSocket(url))
    own.addEventListener('open', () =>
      own.send(JSON.stringify({ payload: { ticket }, route: 'sends/hello' }))
    )
    own.addEventListener('close', () => {
      if (!isClosed) handlers.onClose()
    })
    own.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const { route } = JSON.parse(String(data)) as { readonly route?: string }
      if (route === 'sends/open') handlers.onOpen()
      if (route === 'sends/new') handlers.onSends()
    })
  }
  void open()
  return () => {
    isClosed = true
    socket?.close()
  }
}
