// The mail server refuses the account, then the content: the dashboard says so, and after the mend everything arrives.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser } from 'playwright-core'

import { smtpPeer } from '../../channels/email/smtp-peer.ts'
import { until } from '../../support/process.ts'
import { createUserId, openBrowser, openSite } from '../site.ts'
import { ADMIN_TOKEN, signInWithToken } from './sign-in.ts'

let browser: Browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser?.close())

/** A node reports its state every few seconds, and a paused queue probes its provider after up to 20 seconds. */
const REPORT_TIMEOUT_MS = 90_000

test('an operator sees a refused account, pauses and resumes, and sends the dead letters of a cause again', async () => {
  await using peer = await smtpPeer({ credentials: 'ferries:password' })
  peer.refuse = { auth: 535 }
  await using site = await openSite({
    NOTIF_ADMIN_TOKEN: ADMIN_TOKEN,
    NOTIF_EMAIL_FROM: 'ferries@heron.example',
    NOTIF_SMTP_URL: peer.url
  })
  const sendEmail = async (email: string): Promise<void> => {
    const answer = await site.post('/heron/sender', {
      email: { html: '<p>The boat leaves at 19:05</p>', subject: 'Your 18:40 leaves at 19:05' },
      to: { email, id: createUserId() },
      type: 'timetable'
    })
    assert.equal(answer.status, 200, await answer.text())
  }
  const hasArrived = (email: string): boolean => peer.received.some(({ to }) => to.includes(email))

  await sendEmail('amara@heron.example')
  await using dashboard = await signInWithToken(browser, `${site.base}/admin/heron/now`)
  const { page } = dashboard
  page.setDefaultTimeout(REPORT_TIMEOUT_MS)
  await page.getByRole('heading', { level: 1, name: /^Email has been resting for/ }).waitFor()
  await page.getByRole('alert').getByText('1 message waits; none is lost').waitFor()
  await page.getByRole('button', { name: 'Probe now' }).first().click()
  await page.getByText('535').first().waitFor()

  peer.refuse = undefined
  await until(() => hasArrived('amara@heron.example'), 'the first email arrived', REPORT_TIMEOUT_MS)
  await page.getByRole('button', { name: 'Pause Email' }).click()
  await page.getByRole('dialog').getByRole('button', { exact: true, name: 'Pause' }).click()
  const resume = page.getByRole('button', { exact: true, name: 'Resume' })
  await resume.waitFor()

  peer.refuse = { content: '554 5.7.1 looks like spam' }
  await sendEmail('bento@heron.example')
  await sendEmail('ida@heron.example')
  await resume.click()
  await page.getByText('2 dead letters').waitFor()
  await page.getByRole('link', { name: 'Look at them' }).click()
  await page.waitForURL(/dead-letters\?channel=EMAIL&code=/)
  await page.getByText('bento@heron.example').waitFor()
  assert.equal(peer.received.length, 1)

  peer.refuse = undefined
  await page.getByRole('button', { name: 'Send 2 again…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send 2 again' }).click()
  await page.getByRole('region', { name: 'Sending 2 again' }).getByText('done').waitFor()
  await page.getByText('No dead letters').waitFor()
  await until(
    () => hasArrived('bento@heron.example') && hasArrived('ida@heron.example'),
    'both emails arrived',
    REPORT_TIMEOUT_MS
  )
  assert.equal(peer.received.length, 3)
  assert.deepEqual(dashboard.complaints(), [])
})
