// Emails through their queue: over SMTP and in the sandbox, with templates and options.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import PostalMime from 'postal-mime'

import type { Channel, Delivery, Provider } from '../../../server/channels/channel.ts'
import { createDeliveryJob } from '../../../server/channels/delivery-job.ts'
import { createFileLoader } from '../../../server/channels/email/email-files.ts'
import { createEmailChannel, type EmailMessage } from '../../../server/channels/email/email.ts'
import { openSmtpProvider } from '../../../server/channels/email/smtp.ts'
import { openEmailSandbox } from '../../../server/channels/sandbox/provider.ts'
import { readMessages } from '../../../server/channels/sandbox/sandbox.sql.ts'
import { redrive } from '../../../server/queue/dead-letters/dead-letters.sql.ts'
import type { TemplateContent } from '../../../server/types/templates/content.ts'
import { createRenderer } from '../../../server/types/templates/render.ts'
import { typeSettings, type NotificationType, type Types } from '../../../server/types/type.ts'
import { testConfig } from '../../http/serve.ts'
import { readAttempts, ENV, onlyGroup, openTestQueues, passTime } from '../../queue/test-queue.ts'
import { testDb } from '../../support/db.ts'
import { accept, conformance } from '../conformance.ts'
import { smtpPeer } from './smtp-peer.ts'

const config = testConfig({ NOTIF_EMAIL_FROM: 'Ferry <ferry@company.test>' })

const typesWith = (templates: Readonly<Record<string, TemplateContent>> = {}): Types => {
  const type: NotificationType = {
    channels: ['EMAIL'],
    id: 'hello',
    settings: typeSettings.parse({}),
    subs: new Map(),
    templates: new Map([['EMAIL', new Map(Object.entries(templates))]]),
    title: 'Hello'
  }
  return {
    ensure: async () => type,
    forget() {},
    get: async (_, id) => (id === 'hello' ? type : undefined)
  }
}

const open = (provider: Provider<EmailMessage>, types = typesWith()) => {
  const renderer = createRenderer(config)
  const files = createFileLoader({ of: () => assert.fail('No file of these was fetched.') })
  return {
    channel: createEmailChannel({
      config,
      loadFiles: files,
      buildUnsubscribeLink: () => undefined,
      buildPreferencesLink: () => undefined,
      provider,
      renderer,
      buildReturnPath: () => undefined,
      types
    }) as Channel<unknown>,
    renderer
  }
}

const subjects = {
  address: (n: number) => `u${n}@x.test`,
  inline: (text: string) => ({ email: { html: `<p>${text}</p>`, subject: 'Hello' } })
}

conformance(
  'email over SMTP',
  async () => {
    const peer = await smtpPeer()
    const { channel, renderer } = open(openSmtpProvider({ connections: 3, url: peer.url }))
    return {
      arrived: () =>
        Promise.all(
          peer.received.map(async ({ raw, to }) => {
            const mail = await PostalMime.parse(raw)
            return { reference: mail.messageId!, text: mail.text!, to: to[0]! }
          })
        ),
      breakDown(down) {
        peer.refuse = down ? { connect: 421 } : undefined
      },
      channel,
      async close() {
        await channel.provider.close?.()
        await renderer.close()
        await peer[Symbol.asyncDispose]()
      }
    }
  },
  subjects
)

conformance(
  'email in the sandbox',
  async db => {
    const { channel, renderer } = open(openEmailSandbox(db))
    return {
      async arrived() {
        const { messages: kept } = await readMessages(db, { envId: ENV, limit: 200 })
        return Promise.all(
          kept.map(async ({ message }) => {
            const mail = await PostalMime.parse(String(message['raw']))
            return { reference: mail.messageId!, text: mail.text!, to: String(message['to']) }
          })
        )
      },
      channel,
      close: () => renderer.close()
    }
  },
  subjects
)

describe('an email', () => {
  const NOWHERE: Provider<EmailMessage> = { send: async () => ({ kind: 'sent' }) }
  const make = async (
    send: Record<string, unknown>,
    template: string | null = null,
    templates: Readonly<Record<string, TemplateContent>> = {}
  ): Promise<EmailMessage> => {
    const { channel, renderer } = open(NOWHERE, typesWith(templates))
    try {
      const built = await channel.buildMessage({
        body: { notificationId: 'hello', template, to: 'mei@x.test' },
        bucket: 1,
        envId: ENV,
        id: 'row',
        send: { to: { id: 'mei' }, type: 'hello', ...send },
        sendId: '0192-track',
        userId: 'mei'
      } as Delivery)
      assert.ok(built.ok, built.ok ? '' : `${built.code}: ${built.detail}`)
      return built.message as EmailMessage
    } finally {
      await renderer.close()
    }
  }

  test('takes its sender from the send, else from the template, else from the settings', async () => {
    const email = { html: 'x', senderEmail: 'template@company.test', senderName: 'Template', subject: 's' }
    assert.deepEqual((await make({ email: { html: 'x', subject: 's' } })).from, {
      address: 'ferry@company.test',
      name: 'Ferry'
    })
    assert.deepEqual((await make({ email })).from, { address: 'template@company.test', name: 'Template' })
    const options = { email: { fromAddress: 'send@company.test', fromName: 'Send' } }
    const mail = await make({ email, options })
    assert.deepEqual(mail.from, { address: 'send@company.test', name: 'Send' })
    assert.equal(mail.messageId, '<0192-track@company.test>')
  })

  test('has the CC, BCC and reply addresses of its options', async () => {
    const options = {
      email: {
        bccAddresses: ['b@x.test'],
        ccAddresses: ['c@x.test', '"Doe, Dora" <d@x.test>'],
        replyToAddresses: ['r@x.test']
      }
    }
    const { bcc, cc, replyTo, to } = await make({ email: { html: 'x', subject: 's' }, options })
    assert.deepEqual(
      [to, ...cc, ...bcc, ...replyTo].map(one => one.address),
      ['mei@x.test', 'c@x.test', 'd@x.test', 'b@x.test', 'r@x.test']
    )
    assert.equal(cc[1]!.name, 'Doe, Dora')
  })

  test('uses the planned template and the contact at the time of the plan', async () => {
    const templates = {
      '': { html: '<p>default</p>', subject: 'Default' },
      dutch: { html: '<p>Hallo {{ user.id }} {{ user.email }}</p>', subject: 'Hallo {{ name }}' }
    }
    assert.equal((await make({}, '', templates)).subject, 'Default')
    const mail = await make({ parameters: { name: 'Mei\r\nBcc: evil@x.test' } }, 'dutch', templates)
    assert.equal(mail.subject, 'Hallo Mei Bcc: evil@x.test')
    assert.match(mail.text, /Hallo mei mei@x\.test/)
  })

  test('has the files of the send, with cleaned names', async () => {
    const options = {
      email: {
        attachments: [
          { content: 'SGVsbG8=', contentType: 'text/plain', filename: 'a.txt' },
          { content: 'QQ==', contentType: 'message/rfc822', filename: '../../\u202Efdp.exe' }
        ]
      }
    }
    const mail = await make({ email: { html: 'x', subject: 's' }, options })
    assert.deepEqual(mail.attachments, [
      { content: 'SGVsbG8=', contentType: 'text/plain', filename: 'a.txt' },
      { content: 'QQ==', contentType: 'application/octet-stream', filename: '_.._fdp.exe' }
    ])
  })
})

for (const [code, outcome] of [
  [452, 'retry'],
  // A refusal of the sender, from a mail server that relays only for its own domain.
  [530, 'pause'],
  // Each is a redrive.
  [550, 'dead']
] as const) {
  test(
    `delivers a copy once, however often the main recipient is refused with ${code}`,
    { timeout: 60_000 },
    async () => {
      await using database = await testDb()
      await using peer = await smtpPeer()
      const { channel, renderer } = open(openSmtpProvider({ connections: 1, url: peer.url }))
      let passed = 0
      await using queues = openTestQueues(database.db, { clock: () => Date.now() + passed, pausesMs: [1000] })
      queues.add(createDeliveryJob(channel))
      await accept(database.db, 'EMAIL', {
        send: {
          email: { html: 'x', subject: 's' },
          options: { email: { bccAddresses: ['b@x.test'], ccAddresses: ['c@x.test'] } },
          to: { id: 'u' },
          type: 'hello'
        },
        to: `rcpt-${code}@x.test`
      })
      queues.start()
      for (let tries = 1; tries <= 3; tries++) {
        await queues.idle('EMAIL')
        const attempts = await readAttempts(database.db)
        assert.deepEqual(
          attempts.map(one => one.outcome),
          Array.from({ length: tries }, () => outcome)
        )
        await onlyGroup(database.db).sql.begin(tx => redrive(tx, onlyGroup(database.db), { envId: ENV }, 1))
        await passTime(database.db, 3600)
        passed += 1000
        queues.rescan('EMAIL')
      }
      assert.deepEqual(
        peer.received.map(({ to }) => to),
        [['c@x.test', 'b@x.test']]
      )
      await onlyGroup(database.db).sql`truncate outbox`
      await renderer.close()
    }
  )
}
