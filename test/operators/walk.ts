// Walks through a sign-in as a browser would: follows redirects, keeps cookies, and fills the forms of the provider.

import assert from 'node:assert/strict'

export interface Step {
  readonly status: number
  readonly url: URL
  readonly location: URL | undefined
  readonly text: string
  readonly setCookies: readonly string[]
}

export interface Visitor {
  /** Cookies by host and port, as `name=value`. */
  readonly cookies: Map<string, Map<string, string>>
  visit(url: URL | string, form?: Readonly<Record<string, string>>): Promise<Step>
}

export function createVisitor(): Visitor {
  const cookies: Visitor['cookies'] = new Map()
  return {
    cookies,
    async visit(address, form) {
      const url = new URL(address)
      const jar = cookies.get(url.host) ?? new Map<string, string>()
      cookies.set(url.host, jar)
      const answer = await fetch(url, {
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        redirect: 'manual',
        ...(form && { body: new URLSearchParams(form), method: 'POST' })
      })
      const setCookies = answer.headers.getSetCookie()
      for (const line of setCookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '' || /max-age=0/i.test(line)) jar.delete(name)
        else jar.set(name, value)
      }
      const location = answer.headers.get('location')
      return {
        location: location === null ? undefined : new URL(location, url),
        setCookies,
        status: answer.status,
        text: await answer.text(),
        url
      }
    }
  }
}

const MAX_STEPS = 20

/** Begins a sign-in. @returns the address at the provider */
export async function begin(visitor: Visitor, base: string, returnPath = '/admin'): Promise<URL> {
  const query = new URLSearchParams({ return: returnPath })
  const { location, status, text } = await visitor.visit(`${base}/operators/oidc/start?${query}`)
  assert.equal(status, 302, text)
  return location!
}

/** Signs in at the provider and agrees to everything. @returns the address of the callback, not visited yet */
export async function signInAtProvider(
  visitor: Visitor,
  start: URL,
  login: string,
  base: string
): Promise<URL> {
  let step = await visitor.visit(start)
  for (let count = 0; count < MAX_STEPS; count++) {
    if (step.location?.href.startsWith(base)) return step.location
    if (step.location) step = await visitor.visit(step.location)
    else {
      assert.equal(step.status, 200, step.text)
      const [, action] = /action="([^"]+)"/.exec(step.text) ?? []
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(step.text) ?? []
      assert.ok(action !== undefined && prompt !== undefined, step.text)
      const fields = prompt === 'login' ? { login, password: 'anything', prompt } : { prompt }
      step = await visitor.visit(new URL(action, step.url), fields)
    }
  }
  throw new Error('The provider does not come to an end.')
}
