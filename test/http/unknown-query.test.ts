// Reads with an unknown query parameter are refused, because a misspelt filter would return everything.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { asAdmin, asBackEnd, CLIENT, startApp, type TestApp } from '../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

/** @returns the status, and the details of wrong fields by pointer */
async function read(path: string, headers: Readonly<Record<string, string>> = asBackEnd) {
  const { json, status } = await app.ask(path, { headers })
  const errors = (json['errors'] ?? []) as { readonly pointer: string; readonly detail: string }[]
  return { errors: Object.fromEntries(errors.map(({ detail, pointer }) => [pointer, detail])), status }
}

test('names the nearest parameter, or all of the address', async () => {
  assert.deepEqual(await read(`/${CLIENT}/sandbox/messages?chanel=EMAIL`), {
    errors: { '#/chanel': 'Unknown query parameter. Did you mean channel?' },
    status: 422
  })
  assert.deepEqual(await read(`/${CLIENT}/users?page=2&page=3&count=5`), {
    errors: { '#/page': 'Unknown query parameter. Expected one of count, cursor, q.' },
    status: 422
  })
  assert.deepEqual(await read(`/${CLIENT}/notifications?count=5`), {
    errors: { '#/count': 'Unknown query parameter. This address has none.' },
    status: 422
  })
})

test('every read that needs credentials refuses an unknown parameter', async () => {
  // The session of a member has its own test (test/operators/).
  const reads = app.routes.filter(
    ({ access, method }) => method === 'GET' && access !== 'anyone' && access !== 'member'
  )
  assert.ok(reads.length > 20, `${reads.length}`)
  for (const { access, aliasOf, path } of reads) {
    const address = path.replace(':clientId', CLIENT).replaceAll(/:\w+/g, 'u1')
    // A back end may read for any user, except at an alias, whose token names the user.
    const headers = access === 'admin' ? asAdmin : asBackEnd
    if (aliasOf !== undefined && !path.includes(':userId')) continue
    const { errors, status } = await read(`${address}?unknwon=1`, headers)
    assert.deepEqual([status, Object.keys(errors)], [422, ['#/unknwon']], path)
  }
})

test('accepts what mobile SDKs of the hosted product add, and any parameter of pages and health checks', async () => {
  const sdk = `count=10&before=2999-01-01T00:00:00Z&hashedUserId=a+b/c=`
  assert.equal((await read(`/${CLIENT}/users/u1/notifications/INAPP_WEB?${sdk}`)).status, 200)
  assert.equal((await read(`/${CLIENT}/users/u1/preferences?hashedUserId=x`)).status, 200)
  for (const path of ['/healthz?verbose', '/readyz?t=1', '/problems?utm_source=x']) {
    assert.equal((await read(path, {})).status, 200, path)
  }
})
