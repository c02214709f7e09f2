// The words of a call are on disk before the provider hears of the call: it may ask for them at any node.

import type { Db } from '../../db/db.ts'
import type { Provider } from '../channel.ts'
import type { CallMessage } from './phone-provider.ts'
import { keepWords } from './sms-call.sql.ts'

export const keepingWords = (db: Db, provider: Provider<CallMessage>): Provider<CallMessage> => ({
  close: () => provider.close(),
  async send(message, delivery, call) {
    await keepWords(db.of(delivery.bucket), delivery, message)
    return provider.send(message, delivery, call)
  }
})
