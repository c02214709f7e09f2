// Signing in with an OpenID provider in a browser: the page after the callback goes on by itself, and the Strict cookie is sent.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { OIDC_CLIENT, OIDC_SECRET, openIdProvider } from '../../operators/openid-provider.ts'
import { freePort } from '../../support/port.ts'
import { openBrowser, openSite } from '../site.ts'

test('a member signs in with the provider and comes to the page that was asked for', async () => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  await using provider = await openIdProvider({ redirectUri: `${base}/operators/oidc/callback` })
  provider.groups.set('ida', ['helpdesk'])
  await using _site = await openSite({
    NOTIF_OIDC_CLIENT_ID: OIDC_CLIENT,
    NOTIF_OIDC_CLIENT_SECRET: OIDC_SECRET,
    NOTIF_OIDC_ISSUER: provider.issuer,
    NOTIF_OIDC_ROLES: 'helpdesk=support',
    NOTIF_OIDC_SCOPES: 'openid profile email groups',
    NOTIF_PUBLIC_URL: base,
    PORT: String(port)
  })
  await using stack = new AsyncDisposableStack()
  const browser = await openBrowser()
  stack.defer(() => browser.close())
  const page = await browser.newPage()
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))

  await page.goto(`${base}/admin/heron/sends?type=timetable`)
  await page.getByRole('link', { name: /^Continue with/ }).click()
  await page.locator('[name=login]').fill('ida')
  await page.locator('[name=password]').fill('anything')
  await page.locator('[type=submit]').click()
  await page.locator('[name=prompt][value=consent]').waitFor({ state: 'attached' })
  await page.locator('[type=submit]').click()

  await page.waitForURL(`${base}/admin/heron/sends?type=timetable`)
  await page.getByRole('heading', { level: 1, name: 'Sends' }).waitFor()
  assert.ok(requests.some(url => url.startsWith(`${base}/operators/oidc/callback?`)))
  const cookie = (await page.context().cookies(base)).find(({ name }) => name === 'notif_session')
  assert.equal(cookie?.sameSite, 'Strict')
  assert.equal(cookie.httpOnly, true)
  const session = await page.evaluate(async () => (await fetch('/operators/session')).json())
  assert.equal((session as { member: { role: string } }).member.role, 'support')
})
