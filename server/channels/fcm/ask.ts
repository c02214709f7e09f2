// One POST to an address that the operator configured, within limits of time and size.

export interface Asked {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

export type Answered =
  | {
      readonly ok: true
      readonly status: number
      readonly headers: Headers
      readonly body: string
      /** Undefined where it is none. */
      readonly json: unknown
    }
  /** `reached`: the request may have arrived. */
  | { readonly ok: false; readonly reached: boolean; readonly detail: string }

/** Bytes of an answer. */
const LIMIT = 64 * 1024

/** What a connection that was never there ends with. */
const UNREACHED = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT'
])

async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > LIMIT) throw new Error('The answer is larger than allowed.')
  }
  return text
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The code of what lies under fetch's own "fetch failed". */
function faultOf(error: unknown): { code: string; detail: string } {
  const { cause, message } = error as Error
  const { code = '', message: deeper = message } = Object(cause) as { code?: string; message?: string }
  return { code, detail: deeper || code || message }
}

/** Never throws for what the server does. */
export async function ask(url: string, { headers, body, signal }: Asked): Promise<Answered> {
  try {
    const response = await fetch(url, { body, headers, method: 'POST', redirect: 'error', signal })
    const text = await textOf(response)
    return { body: text, headers: response.headers, json: jsonOf(text), ok: true, status: response.status }
  } catch (error) {
    const { code, detail } = faultOf(error)
    return { detail, ok: false, reached: !UNREACHED.has(code) }
  }
}
